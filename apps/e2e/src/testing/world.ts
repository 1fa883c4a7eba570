import { randomUUID } from 'node:crypto';
import {
  NO_CHANGES,
  asCasefileError,
  noTelemetry,
  silentLogger,
  type CaseDocument,
  type RunDocument,
  type LanguageModel,
} from '@casefile/contracts';
import { temporaryFolder, until } from '@casefile/contracts/testing';
import { criticWriter } from '@casefile/critic-writer/critic-writer';
import { decision } from '@casefile/decision/decision';
import { evidenceCollector } from '@casefile/evidence-collector/evidence-collector';
import { createTextReader, createToolRunner } from '@casefile/evidence';
import { ingest } from '@casefile/ingest/ingest';
import { openKnowledge } from '@casefile/knowledge';
import type { Kind } from '@casefile/kit';
import { flow } from '@casefile/pipeline';
import { createInlineQueue, toolTopic } from '@casefile/queue';
import { reasoner } from '@casefile/reasoner/reasoner';
import {
  assemble,
  configEmbedder,
  knowledgePorts,
  NO_ROLLOUT,
  connect,
  installPrompts,
  readConfig,
  SettingsCopy,
  startService,
  stopServices,
  systemClock,
  systemIds,
  configTools,
  type AcceptedAlertResult,
  type AcceptOptions,
  type Platform,
  type RolloutSource,
  OneModel,
} from '@casefile/runtime';
import { shippedKinds } from '@casefile/shipped';
import { createPostgresStore } from '@casefile/store';
import { testDatabase } from '@casefile/store/testing';
import { inlineQueues } from './inline-queues.js';
import { systemDatabase } from './system-database.js';
import { NEVER_MS, patientConfig } from './patient-settings.js';

/** A whole Casefile under test. */
export interface World {
  platform: Platform;
  /** URL of intake; null: intake does not listen. */
  ingestUrl: string | null;
  /** Submits an alert as a sender does. */
  accept: Sender;
  /** Returns the case's document when all its runs have ended. */
  ended(caseId: string, withinMs?: number): Promise<CaseDocument>;
  close(): Promise<void>;
}

/**
 * Where the jobs of a world wait: `inline` (in this process, see `inlineQueues`), `postgres` (in its database), or the URL
 * of a Redis. Name a store where it is the subject of the test, or where several worlds share jobs.
 */
export type WorldQueue = string;

type Sender = (alert: object, options?: AcceptOptions) => Promise<AcceptedAlertResult>;

/** Run states in which no work continues. */
const ENDED = ['decided', 'stopped', 'quarantined'];

const SERVICES = [ingest, evidenceCollector, reasoner, criticWriter, decision];

/**
 * Returns the environment of a configuration under test: free ports, no samples, no logs, and limits that no answer
 * exceeds because the machine is busy. A file of settings in `extra` overrides these limits.
 */
export function testEnvironment(extra: Record<string, string> = {}): Record<string, string> {
  const ports = ['CONSOLE', 'INGEST', 'EVIDENCE_COLLECTOR', 'REASONER', 'CRITIC_WRITER', 'DECISION'];
  return {
    ...Object.fromEntries(ports.map((name) => [`${name}_PORT`, '0'])),
    LOG_LEVEL: 'error',
    LLM_PROVIDER: 'none',
    RDAP_BASE_URL: 'off',
    ...extra,
    CASEFILE_CONFIG: [patientConfig(), extra['CASEFILE_CONFIG']].filter(Boolean).join(','),
  };
}

/**
 * Starts a private database and an inline queue: the flow in one process, without its services.
 * @param kinds Replace the shipped ones.
 * @param rollout Experiments and versions for new runs.
 */
export async function inlineWorld(
  model: LanguageModel | null,
  extra: Record<string, string> = {},
  kinds?: readonly Kind[],
  rollout: RolloutSource = NO_ROLLOUT,
): Promise<World> {
  const config = readConfig(
    testEnvironment({ ...(model === null ? {} : { LLM_PROVIDER: 'simulator' }), ...extra }),
    kinds ?? (await shippedKinds()),
  );
  const database = await testDatabase();
  const store = createPostgresStore({ databaseUrl: database.url, poolSize: 5, connectTimeoutMs: 60_000 });
  const queue = createInlineQueue({ log: silentLogger });
  const shared = { clock: systemClock, log: silentLogger, telemetry: noTelemetry };
  const embedder = configEmbedder(config);
  const knowledge = openKnowledge(store.database, knowledgePorts(embedder));
  const tools = configTools(config, knowledge, config.outside(), store);
  const unused = () => {
    throw new Error('there is no server in an inline world');
  };
  const reader = createTextReader({ languages: ['eng', 'hin'], timeoutMs: NEVER_MS });
  const sdk = { prometheusText: async () => '' };
  const adapters = {
    ...shared,
    config,
    store,
    changes: NO_CHANGES,
    knowledge,
    queue,
    models: new OneModel(model),
    tools,
    reader,
    embedder,
    ids: systemIds,
    runner: createToolRunner({ tools, ...shared }),
    server: { sdk, ownDatabase: null, queueWorkers: unused, board: unused },
  };
  const platform = assemble(adapters, { rollout });
  for (const { name } of flow) queue.on(name, (job) => platform.stages.handle(name, job));
  for (const tool of platform.toolNames) queue.on(toolTopic(tool), (job) => platform.toolCalls.handle(job));
  return {
    platform,
    ingestUrl: null,
    accept: senderTo(platform),
    ended: (caseId, withinMs) => ended(platform, caseId, withinMs),
    close: async () => {
      platform.stages.stop();
      platform.toolCalls.stop();
      await queue.close();
      await reader.close();
      await store.close();
      await database.drop();
    },
  };
}

/** Starts a world on a private database. */
export async function realWorld(
  queue: WorldQueue,
  model: LanguageModel | null,
  extra: Record<string, string> = {},
  kinds?: readonly Kind[],
): Promise<World> {
  const database = await systemDatabase();
  const world = await worldOn(database.url, queue, model, extra, kinds);
  return {
    ...world,
    close: async () => {
      await world.close();
      await database.drop();
    },
  };
}

/** Starts a world on an existing database, which is kept. */
export async function worldOn(
  databaseUrl: string,
  queue: WorldQueue,
  model: LanguageModel | null,
  extra: Record<string, string> = {},
  kinds?: readonly Kind[],
): Promise<World> {
  const env = testEnvironment({
    DATABASE_URL: databaseUrl,
    QUEUE_URL: queue.startsWith('redis:') ? queue : databaseUrl,
    CASEFILE_DATA: temporaryFolder('world'),
    ...(model === null ? {} : { LLM_PROVIDER: 'simulator' }),
    ...extra,
  });
  const { adapters, close } = await connect(
    readConfig(env, kinds ?? (await shippedKinds())),
    SERVICES.map(({ name }) => name),
    queue === 'inline' ? { openQueues: inlineQueues } : {},
  );
  const { store, log, config } = adapters;
  const rollout = new SettingsCopy({ ...adapters, settings: store.settings });
  await installPrompts(config, { store, log });
  await rollout.start();
  const platform = assemble({ ...adapters, models: new OneModel(model) }, { rollout });
  const services: Awaited<ReturnType<typeof startService>>[] = [];
  for (const definition of SERVICES) services.push(await startService(definition, platform));
  platform.sweeper.start();
  return {
    platform,
    ingestUrl: services[0]?.url ?? null,
    accept: senderTo(platform),
    ended: (caseId, withinMs) => ended(platform, caseId, withinMs),
    close: async () => {
      await stopServices(services, platform, 2_000);
      await rollout.stop();
      await close();
    },
  };
}

/**
 * Submits alerts as a sender does: with a key, and with retries while intake is overloaded, as on a busy
 * machine whose database is slow.
 */
export function senderTo({ intake }: Pick<Platform, 'intake'>): Sender {
  return async (alert, options = {}) => {
    const idempotencyKey = options.idempotencyKey ?? randomUUID();
    let result: AcceptedAlertResult | null = null;
    let refusal = '';
    const isAccepted = async () => {
      try {
        result = await intake.accept(alert, { ...options, idempotencyKey });
      } catch (error) {
        if (!asCasefileError(error).retryable) throw error;
        refusal = asCasefileError(error).message;
      }
      return result !== null;
    };
    await until(() => `the alert is accepted (${refusal})`, isAccepted, 200);
    return result!;
  };
}

/**
 * Waits until every run of the case has ended. Retries if the store is too busy to answer.
 * @param withinMs Default: the limit of `until`.
 * @throws Error with the state of the case if its runs do not end in time.
 */
export async function ended(
  { store }: Pick<Platform, 'store'>,
  caseId: string,
  withinMs?: number,
  over: readonly string[] = ENDED,
): Promise<CaseDocument> {
  let caseDocument: CaseDocument | null = null;
  const hasEnded = async () => {
    caseDocument = await store.record.getCase(caseId).catch((error: unknown) => {
      if (asCasefileError(error).retryable) return null;
      throw error;
    });
    return caseDocument?.runs.every((run) => over.includes(run.status)) === true;
  };
  const state = () => `case ${caseId} has ended: ${JSON.stringify(caseDocument?.runs.map(openWork))}`;
  await until(state, hasEnded, 20, withinMs);
  return caseDocument!;
}

/** State of the units and calls of a run that has not ended, with its newest event. */
function openWork({ units, toolCalls, interactions, trace }: RunDocument): object {
  return {
    units,
    toolCalls: toolCalls.map(({ tool, state }) => [tool, state]),
    interactions: interactions.map(({ step, attempt, state, createdAt }) => [
      step,
      attempt,
      state,
      createdAt,
    ]),
    newest: trace.at(-1),
  };
}
