import type { LanguageModel, Logger, Telemetry } from '@casefile/contracts';
import { createTextReader, createToolRunner, createTools, type EvidenceSettings } from '@casefile/evidence';
import { createLanguageModel } from '@casefile/llm';
import { flow } from '@casefile/pipeline';
import { BullMqServer, connectQueueStore, createBoard, createBullQueue } from '@casefile/queue';
import { createPostgresStore } from '@casefile/store';
import { createLogger, createTelemetry, METRICS, startSdk, TRACER } from '@casefile/telemetry';
import type { Config, ServiceName } from '../config/read-config.js';
import { openDatabase } from './open-database.js';
import type { Adapters } from './platform.js';
import { systemClock, systemIds } from './system.js';
import { timedModel } from './timed-model.js';

const POOL = { store: 8, queue: 6 } as const;

export interface Connected {
  adapters: Adapters;
  /** Closes connections in the order in which they depend on one another. */
  close(): Promise<void>;
}

/** Opens everything outside this process that a configuration names. */
export async function connect(config: Config, services: readonly string[]): Promise<Connected> {
  const service = services.length === 1 ? (services[0] ?? 'casefile') : 'casefile';
  const log = createLogger({ level: config.env.LOG_LEVEL, service });
  const closers: (() => Promise<void>)[] = [];
  const close = async () => {
    for (const end of closers.splice(0).reverse()) {
      await end().catch((error: unknown) => log.warn({ error }, 'a connection did not close cleanly'));
    }
  };
  const opened = <T>(thing: T, end: (thing: T) => Promise<void>): T => {
    closers.push(() => end(thing));
    return thing;
  };
  try {
    return { adapters: await open(config, service, log, opened), close };
  } catch (error) {
    await close();
    throw error;
  }
}

type Opened = <T>(thing: T, end: (thing: T) => Promise<void>) => T;

async function open(config: Config, service: string, log: Logger, opened: Opened): Promise<Adapters> {
  const otlpEndpoint = config.env.OTEL_EXPORTER_OTLP_ENDPOINT ?? null;
  const sdk = opened(await startSdk({ service, otlpEndpoint }), (it) => it.stop());
  const telemetry = createTelemetry();
  const database = opened(await openDatabase(config, log), (it) => it.close());
  const stores = { databaseUrl: database.url, poolSize: POOL.store, log, telemetry };
  const store = opened(createPostgresStore(stores), (it) => it.close());
  const queues = await openQueues(config, database.url, log, telemetry, opened);
  const tools = createTools(evidenceSettings(config), { scamReports: store, clock: systemClock, log });
  const reader = opened(createTextReader({ languages: ['eng', 'hin'] }), (it) => it.close());
  telemetry.gauge(METRICS.runsUnfinished, () => store.backlog());
  return {
    ...{ config, store, tools, reader, log, telemetry, sdk, clock: systemClock, ids: systemIds },
    ...queues(tools.filter((tool) => tool.locality === 'remote').map((tool) => tool.name)),
    model: modelOf(config, log, telemetry),
    runner: createToolRunner({ tools, clock: systemClock, log, telemetry }),
  };
}

async function openQueues(
  config: Config,
  databaseUrl: string,
  log: Logger,
  telemetry: Telemetry,
  opened: Opened,
) {
  const connection = opened(
    await connectQueueStore(config.queueUrl ?? databaseUrl, { poolSize: POOL.queue, log }),
    (it) => it.close(),
  );
  const stages = flow.map((stage) => stage.name);
  const tracer = config.env.OTEL_EXPORTER_OTLP_ENDPOINT === undefined ? {} : { telemetryTracer: TRACER };
  return (remoteTools: string[]): Pick<Adapters, 'queue' | 'queueServer' | 'board'> => ({
    queue: opened(
      createBullQueue({ connection, stages, tools: remoteTools, log, telemetry, ...tracer }),
      (it) => it.close(),
    ),
    queueServer: (_service: ServiceName) =>
      new BullMqServer({ connection, log, concurrency: config.settings.concurrency, ...tracer }),
    board: (basePath: string) => createBoard({ connection, stages, tools: remoteTools, basePath }),
  });
}

function modelOf(config: Config, log: Logger, telemetry: Telemetry): LanguageModel | null {
  if (config.provider === null) return null;
  const { entry, apiKey, warnings } = config.provider;
  for (const warning of warnings) log.warn({ provider: entry.name }, warning);
  return timedModel(createLanguageModel(entry, { apiKey, clock: systemClock }), telemetry, systemClock);
}

function evidenceSettings({ env, settings }: Config): EvidenceSettings {
  return {
    exa: { apiKey: env.EXA_API_KEY, baseUrl: env.EXA_BASE_URL },
    virusTotal: { apiKey: env.VIRUSTOTAL_API_KEY, baseUrl: env.VIRUSTOTAL_BASE_URL },
    rdap: { baseUrl: env.RDAP_BASE_URL },
    limits: settings.tools,
  };
}
