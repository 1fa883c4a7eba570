import type { Batch } from '@casefile/contracts';
import { kinds as installed } from '@casefile/shipped/loaded';
import { until } from '@casefile/contracts/testing';
import { assemble, connect, readConfig, type Platform } from '@casefile/runtime';
import { pendingCalls } from '../fault-run/count-record.js';
import { seededRandom } from '@casefile/contracts';
import { fiveServices } from '../testing/five-services.js';
import { PATIENT_OF_RESTARTS } from '../testing/patient-settings.js';
import type { ServiceProcess } from '../testing/service-processes.js';
import { rowsIn } from '../testing/run-casefile.js';
import { ended, testEnvironment } from '../testing/world.js';
import { copyCase } from './copy-case.js';
import { WHOLE_SYSTEM_MS } from '../testing/whole-system-limit.js';

export interface KillOptions {
  databaseUrl: string;
  cases: number;
  kills: number;
  killEveryMs: number;
  seed: number;
  ratePerSecond?: number;
  /** Duration of a model answer. */
  modelMs: number;
  say?: (line: string) => void;
}

export interface KillFigures {
  cases: number;
  done: number;
  failed: number;
  applied: number;
  /** Cases that do not have exactly two runs: the earlier one and that of the batch. */
  runsTwice: number;
  /** Cases ended per second, including the pauses of kills. */
  ratePerSecond: number;
  /**
   * With a tenth of the cases done: the batch's estimate of the remaining time, and the real time. In
   * seconds.
   */
  etaSeconds: number | null;
  leftSeconds: number | null;
  calls: number;
  /** Calls beyond one per step, and calls in flight when their process was killed. */
  extraCalls: number;
  underWayAtKills: number;
  /** Verdicts delivered before the batch was applied, and replaced verdicts delivered afterwards. */
  outBefore: number;
  replaced: number;
  seconds: number;
}

const COUNTS = `
  select
    (select count(*) from (select 1 from runs r where exists (select from batch_members m where m.case_id = r.case_id)
       group by r.case_id having count(*) <> 2) t)::int as "runsTwice",
    (select count(*) from deliveries d join batch_members m on m.run_id = d.run_id and m.base_run_id = d.replaces
       where d.delivered_at is not null)::int as replaced`;
/** Differs from the first verdict, so that the verdicts of the batch are delivered. */
const OTHER_ANSWER = JSON.stringify({
  riskLevel: 'high',
  confidence: 80,
  explanation: 'The caller asks for a code.',
  evidenceUsed: [],
});
const RESTART_AFTER_MS = 300;
const LOOK_EVERY_MS = 200;

/**
 * Judges cases again with another model in one batch, while services are killed, including the one that
 * drives the batch.
 */
export async function killBatch(options: KillOptions): Promise<KillFigures> {
  const { databaseUrl, say = () => undefined } = options;
  const system = await fiveServices({
    script: { delayMs: options.modelMs },
    // An interrupted call is repeated later than the kind's own deadline: with that deadline it would become
    // a fallback instead of a second call.
    settings: { ...PATIENT_OF_RESTARTS, calls: { probeAtStart: false } },
    databaseUrl,
  });
  const { services, simulator } = system;
  const env = {
    LLM_PROVIDER: 'simulator',
    LLM_BASE_URL: simulator.baseUrl,
    CASEFILE_CONFIG: system.configFile,
  };
  const own = { DATABASE_URL: databaseUrl, QUEUE_URL: databaseUrl, CASEFILE_DATA: system.folder, ...env };
  const { adapters, close } = await connect(readConfig(testEnvironment(own), installed), []);
  const platform = assemble(adapters);
  try {
    await system.start();
    await judgeAndCopy(platform, databaseUrl, options.cases);
    await untilDelivered(platform);
    say(`${options.cases} cases are judged`);
    simulator.reset();
    simulator.setScript({ delayMs: options.modelMs, then: { kind: 'answer', content: OTHER_ANSWER } });
    const began = performance.now();
    const { ratePerSecond } = options;
    const { batchId } = await platform.rerun.createBatch({
      filter: {},
      settings: { model: 'another' },
      ...(ratePerSecond === undefined ? {} : { ratePerSecond }),
    });
    const [underWayAtKills, { eta, at, endedAt }] = await Promise.all([
      killAround(services, options, say),
      followed(platform, batchId!, say),
    ]);
    const seconds = (endedAt - began) / 1000;
    const { total, byStep } = simulator.calls();
    const outBefore = (await platform.store.deliveries.pending(1_000, 0, kinds(platform))).length;
    await platform.store.batches.act(batchId!, 'apply');
    const batch = await inState(platform, batchId!, 'applied');
    await untilDelivered(platform);
    const [counted] = await rowsIn(databaseUrl, COUNTS);
    const { runsTwice, replaced } = counted as { runsTwice: number; replaced: number };
    const { done, failed, applied } = batch;
    const calls = { calls: total, extraCalls: total - Object.keys(byStep).length, underWayAtKills };
    return {
      cases: options.cases,
      done,
      failed,
      applied,
      runsTwice,
      ratePerSecond: done / seconds,
      etaSeconds: eta,
      leftSeconds: at === null ? null : (endedAt - at) / 1000,
      ...calls,
      outBefore,
      replaced,
      seconds,
    };
  } finally {
    await close();
    await system.close();
  }
}

const kinds = ({ config }: Platform) => config.playbooks.map(({ name }) => name);

// Judges one case and copies it.
async function judgeAndCopy(platform: Platform, databaseUrl: string, count: number): Promise<void> {
  const text = 'Your account is blocked, call +1 555 010 1000 now';
  const alert = { playbook: 'scam-verdict', text, source: 'batch-kills', collect: false };
  const { caseId, runId } = await platform.intake.accept(alert);
  await ended(platform, caseId, WHOLE_SYSTEM_MS);
  await copyCase(databaseUrl, { caseId, runId }, count - 1);
}

/**
 * Polls the batch until it is done. @returns its estimate when a tenth of the cases was done, and the time of
 * the estimate.
 */
async function followed({ store }: Platform, batchId: string, say: (line: string) => void) {
  let [eta, at]: [number | null, number | null] = [null, null];
  for (let reportedCount = 0; ; await pause(LOOK_EVERY_MS)) {
    const batch = (await store.batches.get(batchId))!;
    if (at === null && batch.done >= batch.total / 10 && batch.etaSeconds !== null)
      [eta, at] = [batch.etaSeconds, performance.now()];
    if (batch.done >= reportedCount + batch.total / 10) {
      reportedCount = batch.done;
      say(`${batch.done} of ${batch.total}, ${batch.etaSeconds ?? '?'} s left`);
    }
    if (batch.state === 'done') return { eta, at, endedAt: performance.now() };
  }
}

async function inState({ store }: Platform, batchId: string, state: Batch['state']): Promise<Batch> {
  for (;;) {
    const batch = (await store.batches.get(batchId))!;
    if (batch.state === state) return batch;
    await pause(LOOK_EVERY_MS);
  }
}

/** Waits until every verdict is delivered. @throws Error if some are never delivered. */
async function untilDelivered(platform: Platform): Promise<void> {
  const pending = () => platform.store.deliveries.pending(1, 0, kinds(platform));
  const isDone = async () => (await pending()).length === 0;
  await until('every verdict is delivered', isDone, 20, WHOLE_SYSTEM_MS);
}

async function killAround(
  services: ServiceProcess[],
  { seed, kills, killEveryMs, databaseUrl }: KillOptions,
  say: (line: string) => void,
): Promise<number> {
  const random = seededRandom(seed);
  const underWay = new Set<string>();
  for (let n = 1; n <= kills; n += 1) {
    await pause(killEveryMs);
    const victim = services[Math.floor(random() * services.length)]!;
    // Alternates between a crash and Ctrl-C.
    const signal = n % 2 === 1 ? 'SIGKILL' : 'SIGINT';
    await victim.signal(signal);
    if (victim.name === 'reasoner') for (const id of await pendingCalls(databaseUrl)) underWay.add(id);
    say(`${signal} ${n}: ${victim.name}`);
    await pause(RESTART_AFTER_MS);
    victim.spawn();
  }
  return underWay.size;
}

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
