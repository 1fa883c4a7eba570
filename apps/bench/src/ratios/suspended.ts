import { performance } from 'node:perf_hooks';
import { CasefileError, criterionResultSchema, type QueueDepth } from '@casefile/contracts';
import { startSimulator } from '@casefile/llm-simulator/simulator';
import type { Platform } from '@casefile/runtime';
import pg from 'pg';
import {
  bundleAlert,
  sampleCases,
  simulatedModel,
  startPolicyWorld,
  type SampleCase,
} from './policy-world.js';
import type { Row } from './report.js';
import type { Stores } from './rows.js';
import { alertOf } from './spine.js';

/** Slots of the reasoning stage and of the slow tool. */
const SLOTS = 10;
const LOOK_EVERY_MS = 50;
/** No wait may end while the tool is blocked, because the units would become due. */
const YAML = `
concurrency: { reason: { live: ${SLOTS}, bulk: 1 } }
tools: { pi_search: { concurrency: ${SLOTS}, timeoutMs: 900000 } }
playbooks: { policy-check: { toolWaitMs: 900000 } }
`;

export interface SuspendOptions {
  databaseUrl: string;
  queueUrl: string;
  cases: number;
  /** Units of each case, 1 to 50. */
  criteria: number;
  /** Time limit of each part, in milliseconds. */
  withinMs: number;
}

/** Observations while every unit was suspended, and afterwards. */
export interface Suspended {
  /** Units that were suspended at the same time. */
  units: number;
  /** Stages that stayed active in this process. */
  stagesUnderWay: number;
  /** Jobs of the reasoning stage that stayed waiting or active. */
  reasonJobs: number;
  toolCallsUnderWay: number;
  /** Time of another case from intake to verdict meanwhile. */
  otherCaseMs: number;
  /** Memory of the whole process with its simulator at that time. */
  rssMb: number;
  /** Criteria that completed, each in two turns with one successful search. */
  finished: number;
  /**
   * Time from the first case to the last suspension, and from the release of the tool to the last verdict.
   */
  suspendedAfterMs: number;
  finishedAfterMs: number;
}

/**
 * Suspends many units on a tool that does not answer. They hold no worker: another case is decided meanwhile.
 * Then the tool answers, and all units complete.
 */
export async function suspendMany(options: SuspendOptions): Promise<Suspended> {
  const { cases, criteria, withinMs } = options;
  const simulator = await startSimulator({ script: { then: { kind: 'agent', fault: 'fixed-turns', n: 2 } } });
  const gate = aGate();
  const world = await startPolicyWorld({
    ...options,
    model: simulatedModel(simulator.baseUrl),
    yaml: YAML,
    verdictWithinMs: 3 * withinMs,
    change: (tool) =>
      tool.name === 'pi_search'
        ? { ...tool, run: (args, context) => gate.opened.then(() => tool.run(args, context)) }
        : tool,
  });
  const client = new pg.Client({ connectionString: options.databaseUrl });
  await client.connect();
  try {
    const { platform } = world;
    const startedAt = performance.now();
    const submitted = await Promise.all(
      Array.from({ length: cases }, (_, i) => world.submit(bundleAlert(aCase(i, criteria)))),
    );
    const units = await untilSuspended(client, cases * criteria, withinMs);
    const suspendedAfterMs = performance.now() - startedAt;
    const state = {
      units,
      ...(await whenQuiet(platform, withinMs)),
      toolCallsUnderWay: platform.toolCalls.active,
      rssMb: process.memoryUsage().rss / 1024 / 1024,
    };
    const other = performance.now();
    await (
      await world.submit(alertOf(0))
    ).decided;
    const otherCaseMs = performance.now() - other;
    gate.open();
    const released = performance.now();
    await Promise.all(submitted.map(({ decided }) => decided));
    const finishedAfterMs = performance.now() - released;
    return { ...state, otherCaseMs, finished: await finishedOf(client), suspendedAfterMs, finishedAfterMs };
  } finally {
    gate.open();
    await client.end();
    await world.stop();
    await simulator.close();
  }
}

/** Suspends 2,000 units at the same time, with 10 workers and 10 slots of the tool. */
export async function measureSuspended(stores: Stores, cases: number): Promise<Row[]> {
  const rows: Row[] = [];
  for (const on of ['Redis', 'Postgres'] as const) {
    const databaseUrl = await stores.newDatabase();
    const queueUrl = on === 'Redis' ? stores.redisUrl : databaseUrl;
    const figures = await suspendMany({ databaseUrl, queueUrl, cases, criteria: 20, withinMs: 300_000 });
    rows.push(...rowsOf(on, figures, cases * 20));
  }
  return rows;
}

function rowsOf(on: string, figures: Suspended, units: number): Row[] {
  const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;
  const name = `${units} units suspended, ${SLOTS} workers, ${on}`;
  return [
    {
      name: `${name}: all finish`,
      figure: `${figures.finished} of ${units}; ${seconds(figures.suspendedAfterMs)} to suspend, ${seconds(figures.finishedAfterMs)} to finish`,
      ratio: figures.finished / units,
      wanted: '1',
    },
    {
      name: `${name}: reasoning under way meanwhile`,
      figure: `${figures.stagesUnderWay} (${figures.reasonJobs} jobs); another case judged in ${figures.otherCaseMs.toFixed(0)} ms`,
      ratio: null,
      wanted: '0',
    },
    {
      name: `${name}: whole process`,
      figure: `${figures.rssMb.toFixed(0)} MB`,
      ratio: figures.rssMb / 600,
      wanted: '<= 600 MB',
    },
  ];
}

function aCase(i: number, count: number): SampleCase {
  const samples = sampleCases();
  const texts = samples.flatMap(({ criteria }) => criteria.map(({ text }) => text));
  const { title = '', facts = [] } = samples[i % samples.length] ?? {};
  const criteria = Array.from({ length: count }, (_, j) => ({
    id: `criterion-${j}`,
    text: texts[(i + j) % texts.length] ?? '',
  }));
  return { title, facts, criteria };
}

function aGate(): { opened: Promise<void>; open(): void } {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open: () => open() };
}

async function untilSuspended(client: pg.Client, units: number, withinMs: number): Promise<number> {
  const until = performance.now() + withinMs;
  for (;;) {
    const { rows } = await client.query<{ n: number }>(
      `select count(*)::int as n from units where status = 'suspended' and stage = 'reason'`,
    );
    const n = rows[0]?.n ?? 0;
    if (n >= units) return n;
    if (performance.now() > until)
      throw new CasefileError('timeout', `${n} of ${units} units are suspended after ${withinMs} ms`);
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
}

/**
 * Waits until no work is active: units that just suspended still notify the queue. Returns the remaining work
 * after the time limit.
 */
async function whenQuiet({ stages, queue }: Platform, withinMs: number) {
  const until = performance.now() + withinMs;
  for (;;) {
    const busy = { stagesUnderWay: stages.active, reasonJobs: jobsOf(await queue.depths(), 'reason') };
    if (busy.stagesUnderWay + busy.reasonJobs === 0 || performance.now() > until) return busy;
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
}

function jobsOf(depths: QueueDepth[], queue: string): number {
  return depths
    .filter((one) => one.queue.includes(queue))
    .reduce((sum, { waiting, active, delayed }) => sum + waiting + active + delayed, 0);
}

async function finishedOf(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ answer: unknown }>(
    `select body->'answer' as answer from artifacts where artifact = 'draft' and unit <> ''`,
  );
  return rows.filter(({ answer }) => {
    const { iterations, trace } = criterionResultSchema.parse(answer);
    return iterations === 2 && trace[0]?.actions.every(({ reasonCode }) => reasonCode === null);
  }).length;
}
