import type { NestExpressApplication } from '@nestjs/platform-express';
import compression from 'compression';
import { SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import { Router, type RequestHandler } from 'express';
import {
  AttemptLimit,
  CASEFILE_VERSION,
  checkedCallers,
  configurationEntries,
  measureConditions,
  outageError,
  readSchedules,
  stateReaders,
  storeOutCondition,
  storeWatches,
  intakeDocument,
  readSigningKey,
  versionedPrompts,
  type AccessGuard,
  type Platform,
  type ServiceDefinition,
  type StateOutage,
  METRICS,
} from '@casefile/runtime';
import { ACKNOWLEDGE_PATH, acknowledgePage } from './acknowledge-page.js';
import { consoleEntries } from './access-entries.js';
import { creatorSignIn } from './access/open-session.js';
import { openSignIn, sessionAuthenticator } from './access/open-sign-in.js';
import { personalKeys } from './access/personal-keys.js';
import { noteBoardUse, refuseWhileOut } from './board-use.js';
import type { ConsolePorts } from './console-ports.js';
import { readEvaluations, RESULTS } from './evaluations.js';
import { dashboardPages, frontPages } from './front-pages.js';
import { TAKES_FORMS } from './http/read-form.js';
import { ReadingLog } from './http/reading-log.js';
import { mountRoutes } from './http/mount-routes.js';
import { securityHeaders } from './http/security-headers.js';
import { EventFeed } from './live/event-feed.js';
import { serveSockets } from './live/serve-sockets.js';
import { openApiDocument } from './openapi.js';
import { routes } from './routes/index.js';
import type { WaitingReviews, Meta } from '@casefile/contracts';

/** OpenAPI documents listed on the API page. */
const API_DOCUMENTS = [
  { name: 'Console: the record and what is done with it', url: '/api/openapi.json' },
  { name: 'Intake: where alerts are sent', url: '/api/openapi-ingest.json' },
];

/** The ops API, live updates, the dashboard, the API page and the queue board. */
export const consoleService: ServiceDefinition = consoleWith({});

/** The console service with another build of the dashboard. */
export function consoleWith({ dashboard }: { dashboard?: string }): ServiceDefinition {
  return {
    name: 'console',
    answersWithoutStores: true,
    // A batch may name 100,000 cases.
    largeBodies: ['/api/v1/batches'],
    takesForms: TAKES_FORMS,
    access: () => consoleEntries(routes),
    outage: stateOutage,
    authenticators: (platform) => [sessionAuthenticator(platform, personalKeys(platform))],
    pages: staticPages(dashboard),
    prepare,
  };
}

function staticPages(dashboard: string | undefined): RequestHandler {
  return Router().use(compression(), securityHeaders, dashboardPages(dashboard) ?? frontPages());
}

async function prepare(
  app: NestExpressApplication,
  platform: Platform,
  guard: AccessGuard,
): Promise<() => Promise<void>> {
  const { store, changes, clock } = platform;
  const { hosts } = platform.config;
  const log = platform.log.child({ app: 'console' });
  const feed = new EventFeed({ reader: store.record, changes, clock, log });
  // The event stream sets `no-transform`, so each event is sent immediately and uncompressed.
  app.use(compression());
  app.use(securityHeaders);
  const { watches, queues, pipeline, waiting, sources, conditions } = stateReaders(platform);
  measureConditions(sources, conditions, platform.telemetry);
  measureReviews(platform, waiting);
  const evaluations = await readEvaluations(RESULTS, log);
  const ports = { ...consolePorts(platform, feed, pipeline), queues, conditions, evaluations };
  app.use(
    '/auth',
    openSignIn(platform, personalKeys(platform), {
      isRequired: () => guard.requiresProof(),
      outage: stateOutage(platform),
    }),
  );
  app.use(
    ACKNOWLEDGE_PATH,
    acknowledgePage({
      ...platform,
      destinations: platform.config.destinations,
      attempts: new AttemptLimit(platform.config.settings.access.attemptsPerMinute, clock),
      log,
    }),
  );
  const readings = new ReadingLog({ record: store.record, clock });
  const parts = { log, readings, outage: stateOutage(platform), checked: checkedCallers(platform) };
  app.use('/api/v1', mountRoutes(routes, ports, parts));
  app.use(
    '/queues',
    refuseWhileOut(queues, log),
    noteBoardUse(store.record, readings, log),
    platform.server.board('/queues'),
  );
  app.use(intakePages(platform));
  SwaggerModule.setup(
    'api/docs',
    app,
    () => openApiDocument(routes, platform.config.kinds) as unknown as OpenAPIObject,
    {
      customSiteTitle: 'Casefile API',
      raw: ['json'],
      jsonDocumentUrl: 'api/openapi.json',
      explorer: true,
      swaggerOptions: { urls: API_DOCUMENTS },
    },
  );
  const closeSockets = serveSockets(app.getHttpServer(), feed, { log, hosts, guard, readings });
  for (const watch of Object.values(watches)) watch.start();
  return async () => {
    for (const watch of Object.values(watches)) watch.stop();
    await feed.close();
    await closeSockets();
  };
}

// A refusal states the outage as the condition does.
function stateOutage(platform: Platform): StateOutage {
  const { store: watch } = storeWatches(platform);
  return (error) => {
    const outage =
      watch.latest() ?? (error === null ? null : { since: null, why: error.message, sqlState: null });
    return outage === null ? null : outageError(storeOutCondition(outage));
  };
}

// Serves the OpenAPI document of the ingest service for the API page: a browser loads it only from the
// console.
function intakePages({ config }: Platform): Router {
  return Router().get('/api/openapi-ingest.json', ({ hostname, protocol }, response) => {
    response.json(intakeDocument(config, `${protocol}://${hostname}:${config.ports.ingest}`));
  });
}

// Reports overdue reviews by kind.
function measureReviews({ config, telemetry }: Platform, waiting: () => Promise<WaitingReviews[]>): void {
  for (const { name: playbook } of config.playbooks)
    telemetry.gauge(
      METRICS.reviewsOverdue,
      async () => (await waiting()).find((kind) => kind.playbook === playbook)?.overdue ?? 0,
      { playbook },
    );
}

function consolePorts(
  platform: Platform,
  feed: EventFeed,
  pipeline: ConsolePorts['pipeline'],
): Omit<ConsolePorts, 'conditions' | 'evaluations' | 'queues'> {
  const { store, knowledge, queue, intake, rerun, clock, config, log } = platform;
  const { CASEFILE_SIGNING_KEY: signingKey } = config.env;
  return {
    store,
    signInCreator: creatorSignIn({ sessions: store.sessions, checked: checkedCallers(platform) }, log),
    queue,
    intake,
    rerun,
    now: () => clock.now(),
    sendCorrectionsAfterMs: config.settings.reviews.sendAfterSeconds * 1_000,
    answerWithinHours: config.settings.reviews.answerWithinHours,
    newId: () => platform.ids.id(),
    signingKey: signingKey === undefined ? null : readSigningKey(signingKey),
    feed,
    playbooks: config.playbooks,
    prompts: versionedPrompts(config),
    destinations: config.destinations,
    addedAllowPrivate: config.settings.delivery.addedAllowPrivate,
    policies: knowledge.policies,
    runbooks: knowledge.runbooks,
    lessons: knowledge.lessons,
    patternState: () => knowledge.patternState(),
    newRunSettings: (playbook) => platform.installation.latest()?.playbooks[playbook] ?? null,
    providers: () => platform.installation.latest()?.providers ?? [],
    toolServers: () => platform.installation.latest()?.toolServers ?? [],
    mcpServers: platform.config.mcp.map(({ server }) => server.name),
    pipeline,
    schedules: () => readSchedules(platform),
    configuration: () => configurationEntries(config),
    meta: readMeta(platform),
  };
}

/** The provider whose answers are scripted. */
const SIMULATOR = 'simulator';

const CAPABILITIES = [
  'search',
  'filters',
  'events',
  'websocket',
  'pipeline',
  'dead-letters',
  'alerts',
  'alert-images',
  'playbooks',
  'policies',
  'runbooks',
  'imports',
  'tools',
  'runs',
  'prompts',
  'flags',
  'experiments',
  'evolutions',
  'reviews',
];

/** Returns facts about the installation, and when this console started. */
function readMeta({ installation, clock }: Pick<Platform, 'installation' | 'clock'>): () => Meta {
  const startedAt = new Date(clock.now()).toISOString();
  return () => {
    const current = installation.latest();
    return {
      version: CASEFILE_VERSION,
      provider: current?.provider ?? 'unknown',
      model: current?.model ?? null,
      isSimulator: current?.provider === SIMULATOR,
      ...(current?.demonstration === undefined ? {} : { demonstration: true }),
      startedAt,
      capabilities: CAPABILITIES,
    };
  };
}
