import type { IntakeLane, LanguageModel, VerdictMessage } from '@casefile/contracts';
import {
  assemble,
  connect,
  readConfig,
  startService,
  stopServices,
  type RunningService,
  type ServiceDefinition,
} from '@casefile/runtime';
import { criticWriter } from '@casefile/critic-writer/main';
import { decision } from '@casefile/decision/main';
import { evidenceCollector } from '@casefile/evidence-collector/main';
import { ingest } from '@casefile/ingest/main';
import { reasoner } from '@casefile/reasoner/main';

export const FIVE: ServiceDefinition[] = [ingest, evidenceCollector, reasoner, criticWriter, decision];

export interface Spine {
  /** Takes case `i` in; resolves when its verdict is handed out. */
  judge(i: number): Promise<void>;
  /** Takes case `i` in and does not wait for its verdict. */
  submit(i: number, lane?: IntakeLane): Promise<void>;
  /** Runs that are not decided. */
  unfinished(): Promise<number>;
  stop(): Promise<void>;
}

/** All five services in this process on real stores, with a model that is handed in. */
export async function startSpine(
  databaseUrl: string,
  queueUrl: string,
  model: LanguageModel,
  env: Record<string, string> = {},
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
  const { adapters, close } = await connect(readConfig(source), []);
  const waiting = new Map<string, () => void>();
  const early = new Set<string>();
  const publishVerdicts = async (messages: VerdictMessage[]) => {
    await adapters.queue.publishVerdicts(messages);
    for (const { runId } of messages) {
      const resolve = waiting.get(runId);
      if (resolve === undefined) early.add(runId);
      else resolve();
      waiting.delete(runId);
    }
  };
  const queue = Object.assign(Object.create(adapters.queue) as typeof adapters.queue, { publishVerdicts });
  const platform = assemble({ ...adapters, model, queue });
  const services: RunningService[] = [];
  for (const definition of FIVE) services.push(await startService(definition, platform));
  platform.sweeper.start();
  const submit = (i: number, lane: IntakeLane = 'live') => platform.intake.accept(alertOf(i), { lane });
  return {
    submit: async (i, lane) => void (await submit(i, lane)),
    unfinished: () => adapters.store.backlog(),
    judge: async (i) => {
      const { runId } = await submit(i);
      if (early.delete(runId)) return;
      await new Promise<void>((resolve) => waiting.set(runId, resolve));
    },
    stop: async () => {
      await stopServices(services, platform);
      await close();
    },
  };
}

/** An alert with its evidence given, so that no tool is asked. */
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
