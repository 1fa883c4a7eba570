import type { Logger, Queue, Telemetry, ToolBox } from '@casefile/contracts';
import { createTextReader, createToolRunner, type TextReaderOptions } from '@casefile/evidence';
import { openKnowledge } from '@casefile/knowledge';
import { maskJson } from '@casefile/masking';
import { flow } from '@casefile/pipeline';
import {
  ALERTS,
  FEEDBACK,
  BulkGate,
  BullMqServer,
  connectQueueStore,
  createBoard,
  BullMqQueue,
  queueNames,
  toolTopic,
  type TopicLimits,
} from '@casefile/queue';
import { createPostgresStore } from '@casefile/store';
import { createLogger, createTelemetry, METRICS, startSdk, TRACER } from '@casefile/telemetry';
import { measureQueues, measureStore } from './measure-store.js';
import type { Config } from '../config/read-config.js';
import { ChangeWatch } from './change-watch.js';
import { CASEFILE_VERSION } from '../installation/describe-installation.js';
import { closeAtEnd } from '../process-end.js';
import { ModelPool } from './model-pool.js';
import { openDatabase, type OpenDatabase } from './open-database.js';
import type { Adapters, ServerParts } from './platform.js';
import { proveDatabase, QUEUE_POOL } from './prove-database.js';
import { queueCertificates } from './queue-certificates.js';
import { soleReporter } from './sole-reporter.js';
import { systemStandstill } from './standstill.js';
import { systemClock, systemIds } from './system.js';
import { configEmbedder, knowledgePorts, configTools } from './tools.js';

/**
 * Time that the queue's transport may still wait when it closes, in milliseconds. Running work had time to
 * finish before.
 */
const JOB_GRACE_MS = 5_000;
const ALERTS_AT_ONCE = 50;
const FEEDBACK_AT_ONCE = 10;
/** The only service that connects to tool servers. */
export const CONNECTS_TOOLS = 'evidence-collector';
/**
 * The service that reports metrics shared by all services. If each reported them, a sum would count them
 * several times.
 */
const REPORTS_STORE = 'console';

export interface Connections {
  adapters: Adapters;
  /** The models of the configuration, which `adapters` has too. */
  pool: ModelPool;
  /** Lets bulk work yield while the event loop is late. */
  gate: BulkGate;
  /** Closes connections in the order of their dependencies. */
  close(): Promise<void>;
}

export interface ConnectOptions {
  /** Log of the embedded Postgres. Default: the process log. */
  databaseLog?: Logger;
  /** Opens the queues. Default: in the store of QUEUE_URL. */
  openQueues?: OpenQueues;
}

/** Opens all external connections of a configuration. */
export async function connect(
  config: Config,
  services: readonly string[],
  { databaseLog, openQueues = openStoredQueues }: ConnectOptions = {},
): Promise<Connections> {
  const log = createLogger({ level: config.env.LOG_LEVEL, service: processName(services) });
  const closers: (() => Promise<void>)[] = [];
  const close = async () => {
    forget();
    for (const end of closers.splice(0).reverse()) {
      await end().catch((error: unknown) => log.warn({ error }, 'a connection did not close cleanly'));
    }
  };
  const forget = closeAtEnd(close);
  const opened = <T>(thing: T, end: (thing: T) => Promise<void>): T => {
    closers.push(() => end(thing));
    return thing;
  };
  try {
    const database = opened(await openDatabase(config, databaseLog ?? log), (it) => it.close());
    if (config.databaseUrl !== null)
      await proveDatabase({ ...config, databaseUrl: database.url }, services, log);
    return { ...(await open(config, services, { log, database, openQueues }, opened)), close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Returns the name of this process in logs and spans. */
function processName(services: readonly string[]): string {
  return services.length === 1 ? (services[0] ?? 'casefile') : 'casefile';
}

/** Returns the service whose port serves the metrics of this process. */
function serviceMetrics(services: readonly string[]): string {
  return services.find((name) => name === REPORTS_STORE) ?? services[0] ?? '';
}

/** Registers what closes a resource with the connections. Returns the resource. */
type OpenResource = <T>(thing: T, end: (thing: T) => Promise<void>) => T;

/** The queues of a process: their sending side, and what its services listen with. */
export interface OpenedQueues extends Pick<ServerParts, 'queueWorkers' | 'board'> {
  queue: Queue;
}

export type OpenQueues = (parts: QueueParts) => Promise<OpenedQueues>;

async function open(
  config: Config,
  services: readonly string[],
  { log, database, openQueues }: { log: Logger; database: OpenDatabase; openQueues: OpenQueues },
  opened: OpenResource,
): Promise<Omit<Connections, 'close'>> {
  const databaseUrl = database.url;
  const connectsTools = services.includes(CONNECTS_TOOLS);
  const otlpEndpoint = config.env.OTEL_EXPORTER_OTLP_ENDPOINT ?? null;
  const sdk = opened(
    await startSdk({
      service: processName(services),
      version: CASEFILE_VERSION,
      instanceId: systemIds.id(),
      metricsOf: serviceMetrics(services),
      otlpEndpoint,
    }),
    (it) => it.stop(),
  );
  const telemetry = createTelemetry();
  telemetry.gauge(METRICS.buildInfo, () => 1, { version: CASEFILE_VERSION, node: process.versions.node });
  const { connections: poolSize, liveConnections } = config.settings.store;
  const erasureKey = config.env.CASEFILE_FINGERPRINT_KEY ?? '';
  const { directUrl } = database;
  const readUrl = services.includes(REPORTS_STORE) ? config.readUrl : undefined;
  const stores = { databaseUrl, directUrl, readUrl, poolSize, liveConnections, erasureKey, log, telemetry };
  const store = opened(createPostgresStore(stores), (it) => it.close());
  const changes = opened(new ChangeWatch(store.changes, log), (it) => it.stop());
  // A direct command makes one thing and ends, so it follows no changes.
  if (services.length > 0) await changes.start();
  const embedder = configEmbedder(config);
  // A direct command (no service) reads runbooks and pages too. Other processes need only the names of tools.
  const usesOutside = services.length === 0 || connectsTools;
  const outside = usesOutside
    ? config.outside()
    : { mcp: config.mcp, runbooks: config.runbooks, pages: null, feeds: [] };
  const knowledge = openKnowledge(store.database, knowledgePorts(embedder, outside.runbooks), log);
  const connecting = { pins: store.toolPins, changes, log, mask: maskJson };
  const tools = opened(
    configTools(config, knowledge, outside, store, connectsTools ? connecting : undefined),
    (it) => it.close(),
  );
  await tools.connect();
  for (const { source, health } of tools.health())
    if (health.state === 'down') log.warn({ source, why: health.why }, 'a source of tools is down');
  if (connectsTools) tellOfKinds(config, log);
  const reader = opened(createTextReader(readerOptions(config)), (it) => it.close());
  const isReporting = services.includes(REPORTS_STORE);
  const reporter = isReporting ? soleReporter(store, REPORTS_STORE, telemetry) : null;
  if (reporter !== null) measureStore(store, reporter);
  const gate = new BulkGate();
  const owner = () => store.recordId();
  const parts = {
    config,
    sessionUrl: directUrl ?? databaseUrl,
    owner,
    tools,
    log,
    gate,
    opened,
    reporter,
  };
  const { queue, queueWorkers, board } = await openQueues(parts);
  const pool = configModels(config, log, telemetry);
  const adapters = {
    config,
    store,
    changes,
    knowledge,
    tools,
    reader,
    embedder,
    log,
    telemetry,
    clock: systemClock,
    ids: systemIds,
    queue,
    models: pool,
    runner: createToolRunner(
      { tools, clock: systemClock, log, telemetry, mask: maskJson },
      { standstill: systemStandstill },
    ),
    server: { sdk, ownDatabase: database.own ?? null, queueWorkers, board },
  };
  return { adapters, pool, gate };
}

export interface QueueParts {
  config: Config;
  /** Address of the database at which a session lasts. */
  sessionUrl: string;
  /** Returns the id of the record, so that the queues serve no other. */
  owner(): Promise<string | null>;
  tools: ToolBox;
  log: Logger;
  gate: BulkGate;
  opened: OpenResource;
  /** Reports the metrics of the queues; null: another service does. */
  reporter: Pick<Telemetry, 'gauge'> | null;
}

async function openStoredQueues(parts: QueueParts): Promise<OpenedQueues> {
  const { config, sessionUrl, owner, tools, log, gate, opened, reporter } = parts;
  const url = config.queueUrl ?? sessionUrl;
  const prefix = config.env.QUEUE_PREFIX;
  const options = {
    poolSize: QUEUE_POOL,
    log,
    prefix,
    tls: await queueCertificates(config),
    owner: await owner(),
  };
  const connection = opened(await connectQueueStore(url, options), (it) => it.close());
  const stages = flow.map((stage) => stage.name);
  const names = [...tools.allowed.keys()];
  const traced = config.env.OTEL_EXPORTER_OTLP_ENDPOINT === undefined ? {} : { telemetryTracer: TRACER };
  const common = { connection, log, ...traced };
  const board = (basePath: string) =>
    opened(createBoard({ connection, queues: queueNames(stages, names), basePath, log }), (it) => it.close())
      .handler;
  const topics = topicLimits(config, tools);
  const queue = opened(
    new BullMqQueue({ ...common, ...config.settings.delivery, stages, tools: names }),
    (it) => it.close(),
  );
  if (reporter !== null) measureQueues(queue, queueNames(stages, names), reporter, systemClock);
  return {
    queue,
    queueWorkers: () => new BullMqServer({ ...common, gate, topics, graceMs: JOB_GRACE_MS }),
    board,
  };
}

/** Returns the settings `ocr` for reading images. */
export function readerOptions({ settings }: Config): TextReaderOptions {
  const { timeoutSeconds, dataFolder, ...languages } = settings.ocr;
  const folder = dataFolder === undefined ? {} : { dataFolder };
  return { ...languages, ...folder, timeoutMs: timeoutSeconds * 1_000 };
}

// A tool's bulk work gets a quarter of its slots, so that live work always finds a free slot.
function topicLimits(config: Config, tools: ToolBox): Record<string, TopicLimits> {
  const ofTools = [...tools.allowed].map(([name, limits]): [string, TopicLimits] => [
    toolTopic(name),
    {
      live: limits.concurrency,
      bulk: Math.ceil(limits.concurrency / 4),
      ...(limits.perSecond === undefined ? {} : { perSecond: limits.perSecond }),
    },
  ]);
  return {
    ...config.settings.concurrency,
    [ALERTS]: { live: ALERTS_AT_ONCE, bulk: 0 },
    [FEEDBACK]: { live: FEEDBACK_AT_ONCE, bulk: 0 },
    ...Object.fromEntries(ofTools),
  };
}

function configModels(config: Config, log: Logger, telemetry: Telemetry): ModelPool {
  const { providerNamed } = config;
  for (const [name, warnings] of configWarnings(config))
    for (const warning of warnings) log.warn({ provider: name }, warning);
  const captureContent = config.env.OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT === 'true';
  return new ModelPool({ providerNamed, clock: systemClock, log, telemetry, captureContent });
}

function configWarnings({ provider, fallbackProviders, playbookProviders }: Config): Map<string, string[]> {
  const all = [provider, ...fallbackProviders, ...Object.values(playbookProviders)];
  return new Map(all.flatMap((one) => (one === null ? [] : [[one.entry.name, one.warnings]])));
}

/** Logs the kinds from outside, and their tools that cannot be used because a variable is missing. */
function tellOfKinds({ kinds, toolEnvironment }: Config, log: Logger): void {
  for (const { playbook, tools, outside } of kinds) {
    const { name: kind, version } = playbook;
    if (outside !== null) log.info({ kind, version, module: outside.entry }, 'a kind of case from outside');
    for (const { name: tool, missing } of tools) {
      const variables = missing(toolEnvironment);
      if (variables.length > 0)
        log.warn({ kind, tool, variables }, 'a tool gives nothing until its variables are set');
    }
  }
}
