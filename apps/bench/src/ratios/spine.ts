import {
  asCasefileError,
  type CaseStore,
  type IntakeLane,
  type LanguageModel,
  type Nudge,
  type Queue,
  type StageJob,
  type StageNudge,
  type Telemetry,
  type VerdictMessage,
} from '@casefile/contracts';
import {
  stageTopic,
  assemble,
  connect,
  openDestinations,
  readConfig,
  startService,
  stopServices,
  type Platform,
  type SettingsCopy,
  type RunningService,
  type ServiceDefinition,
  OneModel,
} from '@casefile/runtime';
import { shippedKinds } from '@casefile/shipped';
import { criticWriter } from '@casefile/critic-writer/critic-writer';
import { decision } from '@casefile/decision/decision';
import { evidenceCollector } from '@casefile/evidence-collector/evidence-collector';
import { ingest } from '@casefile/ingest/ingest';
import { reasoner } from '@casefile/reasoner/reasoner';

import type { Kind } from '@casefile/kit';
import { flow, type Stage } from '@casefile/pipeline';
import type { QueueServer } from '@casefile/queue';

export const FIVE: ServiceDefinition[] = [ingest, evidenceCollector, reasoner, criticWriter, decision];

export interface Spine {
  /** URL of intake. */
  ingestUrl: string;
  /** Submits case `i`, by default as a scam verdict. Resolves when its verdict is delivered. */
  judge(i: number, alert?: (i: number) => object): Promise<void>;
  /** As `judge`, but the first wake-up of the case is lost. */
  judgeUnsent(i: number): Promise<void>;
  /** Submits case `i` without waiting for its verdict. */
  submit(i: number, lane?: IntakeLane, alert?: (i: number) => object): Promise<void>;
  /** Returns the time at which the sender resolved a case; null: not resolved. */
  resolvedAt(caseId: string): Promise<string | null>;
  /** Returns the number of runs without a verdict. */
  unfinished(): Promise<number>;
  /** Returns whether the queue store has the jobs of everything that is due, since it was last emptied. */
  isRefilled(): Promise<boolean>;
  stop(): Promise<void>;
}

/** Parts to replace or remove for a measurement. Default: as shipped. */
export interface SpineParts {
  flow?: readonly Stage[];
  kinds?: readonly Kind[];
  telemetry?: Telemetry;
  /** The experiments in effect. Default: none. */
  rollout?: SettingsCopy;
  /** Replaces methods of the store. */
  writes?: Partial<CaseStore>;
  /**
   * Delivery of wake-ups to the executor: by the services, by the queue alone (without Nest), or by a call.
   */
  transport?: 'services' | 'queue' | 'none';
  /** Whether verdicts are sent to the destinations of the configuration, as the decision service does. */
  delivers?: boolean;
}

/** Starts all five services in this process on real stores, with the supplied model. */
export async function startSpine(
  databaseUrl: string,
  queueUrl: string,
  model: LanguageModel,
  env: Record<string, string> = {},
  { writes = {}, transport = 'services', delivers = false, kinds, ...parts }: SpineParts = {},
): Promise<Spine> {
  const ports = Object.fromEntries(
    ['INGEST', 'EVIDENCE_COLLECTOR', 'REASONER', 'CRITIC_WRITER', 'DECISION'].map((name) => [
      `${name}_PORT`,
      '0',
    ]),
  );
  const source = {
    DATABASE_URL: databaseUrl,
    QUEUE_URL: queueUrl,
    LLM_PROVIDER: 'simulator',
    RDAP_BASE_URL: 'off',
    LOG_LEVEL: 'error',
    ...ports,
    ...env,
  };
  const { adapters, close } = await connect(readConfig(source, kinds ?? (await shippedKinds())), []);
  const waiting = new Map<string, () => void>();
  const early = new Set<string>();
  const tell = (messages: VerdictMessage[]) => {
    for (const { runId } of messages) {
      const resolve = waiting.get(runId);
      if (resolve === undefined) early.add(runId);
      else resolve();
      waiting.delete(runId);
    }
  };
  const publishVerdicts = async (messages: VerdictMessage[]) => {
    if (transport !== 'none') await adapters.queue.publishVerdicts(messages);
    tell(messages);
  };
  const called: Queue['nudge'] = async (nudges) => {
    for (const nudge of nudges)
      if (nudge.kind === 'stage') void platform.stages.handle(nudge.stage, jobOf(nudge), nudge.lane);
  };
  let toLose = 0;
  const isSent = ({ lane }: Nudge): boolean => {
    if (lane !== 'live' || toLose === 0) return true;
    toLose -= 1;
    return false;
  };
  const queue = over(adapters.queue, {
    publishVerdicts,
    nudge: (nudges: Nudge[]) => {
      const sent = nudges.filter(isSent);
      return transport === 'none' ? called(sent) : adapters.queue.nudge(sent);
    },
  });
  const destinations = delivers ? openDestinations(adapters, () => []) : null;
  const store = over<typeof adapters.store>(adapters.store, writes);
  const platform = assemble(
    { ...adapters, models: new OneModel(model), queue, store },
    { ...parts, ...(destinations === null ? {} : { destinations }) },
  );
  const services: RunningService[] = [];
  if (transport === 'services')
    for (const definition of FIVE) services.push(await startService(definition, platform));
  if (transport !== 'services')
    for (const { name } of flow) platform.stages.host(name, { live: 1_000, bulk: 0 });
  const server = transport === 'queue' ? await listen(platform) : null;
  if (transport === 'services') platform.sweeper.start();
  destinations?.start();
  const submit = (i: number, lane: IntakeLane = 'live', alert = alertOf) =>
    platform.intake.accept(alert(i), { lane });
  const judge: Spine['judge'] = async (i, alert) => {
    const { runId } = await submit(i, 'live', alert);
    if (early.delete(runId)) return;
    await new Promise<void>((resolve) => waiting.set(runId, resolve));
  };
  return {
    ingestUrl: services[0]?.url ?? '',
    resolvedAt: async (caseId) => (await adapters.store.record.getCase(caseId))?.resolvedAt ?? null,
    submit: async (i, lane, alert) => void (await submit(i, lane, alert)),
    unfinished: () => adapters.store.runs.backlog(),
    isRefilled: () => adapters.queue.hasSentinel(),
    judge,
    judgeUnsent: (i) => {
      toLose += 1;
      return judge(i);
    },
    stop: async () => {
      await server?.close();
      await stopServices(services, platform);
      await destinations?.stop();
      await close();
    },
  };
}

function over<T extends object>(base: T, laid: Partial<T>): T {
  return Object.assign(Object.create(base) as T, laid);
}

function jobOf({ runId, unit, round }: StageNudge): StageJob {
  return { runId, unit, round };
}

/** Starts the queue's workers of all services with the executor behind them, without Nest. */
async function listen({ server: { queueWorkers }, stages }: Platform): Promise<QueueServer> {
  const server = queueWorkers();
  for (const { name } of flow) {
    server.work(stageTopic(name), (job, { lane }) => stages.handle(name, job, lane));
  }
  await new Promise<void>((resolve, reject) =>
    server.listen((error) => (error ? reject(asCasefileError(error)) : resolve())),
  );
  return server;
}

/** Returns an alert with supplied evidence, so that no tool is called. */
export function alertOf(i: number): object {
  const result = { found: true, reportCount: 12, riskScore: 80 };
  const evidence = [{ toolName: 'scam_db', entityType: 'phone', entityValue: '+15550100', result }];
  return {
    playbook: 'scam-verdict',
    text: `Case ${i}: pay the fee at once`,
    source: 'bench',
    evidence,
    collect: false,
  };
}
