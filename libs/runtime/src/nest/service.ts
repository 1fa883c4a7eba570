import 'reflect-metadata';
import type { Server, ServerResponse } from 'node:http';
import {
  Module,
  type DynamicModule,
  type INestApplication,
  type Type,
  type LoggerService,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { flow } from '@casefile/pipeline';
import { type QueueServer, stageTopic, toolTopic } from '@casefile/queue';
import express, { type RequestHandler } from 'express';
import type { AccessGuard, Authenticator, StateOutage } from '../access/access-guard.js';
import type { AccessEntry } from '../access/access-table.js';
import { openGuard } from '../access/open-guard.js';
import type { Platform } from '../compose/platform.js';
import type { Config, ServiceName } from '../config/read-config.js';
import { checkBody, type BodyBounds } from '../intake/body-bounds.js';
import { formatAt, configFormats } from '../intake/formats/index.js';
import { isInUse, portInUse } from './claim-port.js';
import { HealthController } from './health.controller.js';
import { ProblemFilter } from './problem-filter.js';
import { measureRequests } from './measure-requests.js';
import { guardRequests, isJson, isPlainText } from './request-guard.js';
import { ServiceState, PLATFORM, SERVICE_STATE } from './service-state.js';
import type { Logger } from '@casefile/contracts';

/** A deployable service. Its stages are the stages of the flow that name it. */
export interface ServiceDefinition {
  name: ServiceName;
  /** Controllers of its own, which may depend on the installed kinds of case. */
  controllers?(config: Config): Type[];
  /** Queue topics of its own controllers, in addition to those of its stages. */
  topics?: string[];
  /** Whether the service needs the installation, which the service that calls models publishes. */
  needsInstallation?: boolean;
  /** Whether it is ready while its stores are out, because it then shows what is wrong. Default: false. */
  answersWithoutStores?: boolean;
  /** Whether it hosts the queues of the remote tools. */
  hostsTools?: boolean;
  /** Paths whose bodies have many items, so that the limits of a batch of alerts apply. */
  largeBodies?: readonly string[];
  /** Whether it runs the imports that clients post. Imports call embedders, models and URLs of runbooks. */
  runsImports?: boolean;
  /** Paths that accept files as `multipart/form-data`. Default: none. */
  takesForms?: RegExp;
  /** Paths that it answers, with the right that each requires. A path without an entry is refused. */
  access?(platform: Platform): readonly AccessEntry[];
  /** Further ways in which its callers prove who they are. Default: none. */
  authenticators?(platform: Platform): readonly Authenticator[];
  /** States an outage of the database in refusals. Default: the error of the request is the refusal. */
  outage?(platform: Platform): StateOutage;
  /** Answers paths without an entry by static pages and files, which hold no data. Default: none. */
  pages?: RequestHandler;
  /**
   * Final setup before it listens: sockets, API pages. May return a function to call first when closing.
   */
  prepare?(
    app: NestExpressApplication,
    platform: Platform,
    guard: AccessGuard,
  ): Promise<(() => Promise<void>) | void>;
}

export interface RunningService {
  name: ServiceName;
  /** URL on which it listens. */
  url: string;
  /** Stops fetching and answers "not ready". Work under way continues. */
  pause(): Promise<void>;
  close(): Promise<void>;
}

/** Time after which workers that fetch nothing, although work waits, count as deaf. Milliseconds. */
const DEAF_AFTER_MS = 60_000;

/**
 * Time limits for a client's headers and for a whole request, and the interval of their checks. In
 * milliseconds.
 */
const PATIENCE = { headers: 10_000, request: 30_000, look: 1_000 } as const;
/** Time that open connections get when the service stops, in milliseconds. */
const LINGER_MS = 2_000;

@Module({})
class ServiceModule {}

/** Starts one service on the platform of this process. */
export async function startService(
  definition: ServiceDefinition,
  platform: Platform,
): Promise<RunningService> {
  const state = new ServiceState(
    definition.name,
    definition.needsInstallation,
    definition.answersWithoutStores,
  );
  const log = platform.log.child({ app: definition.name });
  const app = await NestFactory.create<NestExpressApplication>(
    definitionModule(definition, platform, state),
    {
      logger: new NestLog(log),
      bodyParser: false,
      abortOnError: false,
    },
  );
  app.disable('x-powered-by');
  // ETags are off: answers change all the time, so a client would almost never have the same one.
  app.disable('etag');
  const formats = configFormats(platform.config);
  const plainText = (path: string) => formatAt(path, formats)?.takesPlainText === true;
  app.use(measureRequests(definition.name, platform.telemetry, platform.clock));
  app.use(guardRequests(platform.config.hosts, log, { forms: definition.takesForms, plainText }));
  const entries = definition.access?.(platform) ?? [];
  const authenticators = definition.authenticators?.(platform) ?? [];
  const outage = definition.outage?.(platform);
  const guard = await openGuard({ entries, authenticators, outage }, platform, log);
  app.use(guard.handler(definition.pages));
  app.use(
    express.json({
      limit: platform.config.settings.intake.maxBodyBytes,
      strict: false,
      verify: (request, _response, body) => {
        const { path } = request as express.Request;
        const format = formatAt(path, formats);
        const isLarge = format?.isBatch ?? definition.largeBodies?.includes(path);
        checkBytes(body, platform.config.settings.intake, isLarge);
        // The bytes are kept, because signatures are verified over them.
        if (format !== undefined) Object.assign(request, { rawBody: body });
      },
      type: (request) =>
        isJson(request.headers) ||
        (plainText((request as express.Request).path) && isPlainText(request.headers)),
    }),
  );
  app.useGlobalFilters(new ProblemFilter(log));
  const closeFirst = await definition.prepare?.(app, platform, guard);
  const server = hasQueues(definition) ? connectQueues(app, definition, platform) : null;
  for (const stage of appStages(definition.name)) {
    const slots = platform.config.settings.concurrency[stage];
    if (slots !== undefined) platform.stages.host(stage, slots);
  }
  if (server !== null) {
    await app.startAllMicroservices();
    state.deafQueues = () => server.deafQueues(DEAF_AFTER_MS);
  }
  boundConnections(app.getHttpServer() as Server);
  const port = platform.config.ports[definition.name];
  await app.listen(port, platform.config.host).catch(async (error: unknown) => {
    throw isInUse(error) ? await portInUse(port, error) : error;
  });
  state.phase = 'ready';
  return {
    name: definition.name,
    url: (await app.getUrl()).replace('[::1]', 'localhost'),
    pause: async () => {
      state.phase = 'stopping';
      sayGoodbye(app.getHttpServer() as Server);
      await server?.pause();
    },
    close: async () => {
      state.phase = 'stopping';
      const closing = closeLingering(app.getHttpServer() as Server);
      try {
        if (closeFirst) await closeFirst();
        await app.close();
      } finally {
        clearTimeout(closing);
      }
    },
  };
}

function definitionModule(
  definition: ServiceDefinition,
  platform: Platform,
  state: ServiceState,
): DynamicModule {
  return {
    module: ServiceModule,
    controllers: [HealthController, ...(definition.controllers?.(platform.config) ?? [])],
    providers: [
      { provide: PLATFORM, useValue: platform },
      { provide: SERVICE_STATE, useValue: state },
    ],
  };
}

function appStages(app: string): string[] {
  return flow.filter((stage) => stage.app === app).map((stage) => stage.name);
}

function hasQueues(definition: ServiceDefinition): boolean {
  return (
    appStages(definition.name).length > 0 ||
    definition.hostsTools === true ||
    (definition.topics ?? []).length > 0
  );
}

/**
 * Connects the workers of a service's queues. Jobs of stages and tools go to the executors. The controllers of the
 * service have the handlers of its other topics.
 */
function connectQueues(
  app: INestApplication,
  { name, hostsTools = false }: ServiceDefinition,
  { server: { queueWorkers }, stages, toolCalls, toolNames }: Platform,
): QueueServer {
  const server = queueWorkers();
  for (const stage of appStages(name))
    server.work(stageTopic(stage), (job, { lane }) => stages.handle(stage, job, lane));
  for (const tool of hostsTools ? toolNames : [])
    server.work(toolTopic(tool), (job, { lane }) => toolCalls.handle(job, lane));
  app.connectMicroservice({ strategy: server });
  return server;
}

// A body is checked before it is parsed. A body that is not UTF-8 is refused instead of being accepted with
// replaced characters.
function checkBytes(body: Buffer, bounds: BodyBounds, isBatch: boolean | undefined): void {
  checkBody(body, bounds, isBatch);
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch {
    throw Object.assign(new Error('expected a body of valid UTF-8'), { status: 400 });
  }
}

function boundConnections(server: Server): void {
  server.headersTimeout = PATIENCE.headers;
  server.requestTimeout = PATIENCE.request;
  Object.assign(server, { connectionsCheckingInterval: PATIENCE.look });
}

/** From now on each answer closes its connection, and idle connections are closed immediately. */
function sayGoodbye(server: Server): void {
  server.prependListener('request', (_request, response: ServerResponse) => {
    response.setHeader('Connection', 'close');
  });
  server.closeIdleConnections();
}

/**
 * Closes idle connections, and all others a little later. An endless body or a client that keeps sending
 * requests cannot delay a stop. Returns the timer of the second step.
 */
function closeLingering(server: Server): NodeJS.Timeout {
  server.closeIdleConnections();
  return setTimeout(() => server.closeAllConnections(), LINGER_MS);
}

/** Writes Nest's own messages to our log. Messages of its start have the level debug. */
class NestLog implements LoggerService {
  constructor(private readonly out: Logger) {}

  log(message: unknown, context?: string): void {
    this.out.debug({ context }, String(message));
  }
  // A trace repeats the message of an error, which may quote data. The error itself is logged without them.
  error(message: unknown, _trace?: string, context?: string): void {
    if (message instanceof Error) this.out.error({ context, error: message }, 'Nest reports an error');
    else this.out.error({ context }, String(message));
  }
  warn(message: unknown, context?: string): void {
    this.out.warn({ context }, String(message));
  }
}
