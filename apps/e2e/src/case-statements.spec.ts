import type { Queue } from '@casefile/contracts';
import pg from 'pg';
import { instantModel } from './testing/instant-model.js';
import { realWorld, type World } from './testing/world.js';

/** Cases that are judged one after another. */
const CASES = 30;

type Query = (this: pg.Client, ...args: unknown[]) => unknown;

/** Counts the statements of this process by text until `stop` is called. */
function countStatements(): { counts: Map<string, number>; stop(): void } {
  const counts = new Map<string, number>();
  const { prototype } = pg.Client as unknown as { prototype: { query: Query } };
  const { query } = prototype;
  prototype.query = function counted(...args) {
    const [first] = args;
    const text = typeof first === 'string' ? first : String((first as { text?: unknown }).text);
    const line = text.replaceAll(/\s+/g, ' ').trim();
    counts.set(line, (counts.get(line) ?? 0) + 1);
    return query.apply(this, args);
  };
  return { counts, stop: () => void (prototype.query = query) };
}

/**
 * Returns the number of each statement per case: of those with a name, and of others that are sent for each case. What a
 * process sends by time, at most once a second for each statement, is left out.
 */
function perCase(counts: Map<string, number>, seconds: number): Record<string, number> {
  const named: Record<string, number> = {};
  for (const [text, count] of counts) {
    const name = NAMES.find(([, start]) => start.test(text))?.[0];
    if (name === undefined && count < Math.max(CASES, 2 * seconds)) continue;
    const shown = name ?? text.slice(0, 200);
    named[shown] = (named[shown] ?? 0) + count;
  }
  // Work that is done again on a busy machine adds less than one per case.
  return Object.fromEntries(
    Object.entries(named)
      .map(([name, count]): [string, number] => [name, Math.floor(count / CASES)])
      .filter(([, count]) => count > 0),
  );
}

const NAMES: readonly (readonly [name: string, text: RegExp])[] = [
  ['begin', /^begin/],
  ['commit', /^commit/],
  ['locks of an alert', /^select pg_advisory_xact_lock/],
  ['what is known of an alert', /^with found as/],
  ['write of an alert', /^with case_rows/],
  ['claim', /^with request_rows \(i, run_id, unit, stage, round, reads_alert/],
  ['intent of a call', /^with request_rows \(i, run_id, unit, stage, round, epoch, id, step/],
  ['end of stages', /^with request_rows \(i, run_id, unit, stage, round, epoch, to_status/],
  ['delivered', /^update deliveries set delivered_at/],
];

async function judged(model: ReturnType<typeof instantModel> | null): Promise<Record<string, number>> {
  const world: World = await realWorld('inline', model);
  const { platform } = world;
  // Chores are not part of a case.
  await platform.sweeper.stop();
  const { queue } = platform;
  queue.publishVerdicts = async () => undefined;
  const { deliveries } = platform.store;
  const { markDelivered } = deliveries;
  let delivered = 0;
  let wake = (): void => undefined;
  deliveries.markDelivered = async (ids) => {
    await markDelivered.call(deliveries, ids);
    delivered += ids.length;
    wake();
  };
  // A case has ended when its verdict is marked as delivered: no statement of it follows.
  const judge = async (i: number): Promise<void> => {
    const ended = delivered + 1;
    await world.accept(alertOf(i));
    while (delivered < ended) await new Promise<void>((resolve) => (wake = resolve));
  };
  try {
    await judge(0);
    const counting = countStatements();
    const jobs = countJobs(queue);
    const from = performance.now();
    for (let i = 1; i <= CASES; i += 1) await judge(i);
    counting.stop();
    const statements = perCase(counting.counts, (performance.now() - from) / 1_000);
    return { ...statements, jobs: Math.floor(jobs() / CASES) };
  } finally {
    await world.close();
  }
}

/** Returns a function that returns the number of jobs that wake stages since then. */
function countJobs(queue: Pick<Queue, 'nudge'>): () => number {
  const { nudge } = queue;
  let jobs = 0;
  queue.nudge = (nudges) => {
    jobs += nudges.length;
    return nudge.call(queue, nudges);
  };
  return () => jobs;
}

function alertOf(i: number): object {
  const result = { found: true, reportCount: 12, riskScore: 80 };
  const evidence = [{ toolName: 'scam_db', entityType: 'phone', entityValue: '+15550100', result }];
  const text = `Case ${i}: pay the fee at once`;
  return { playbook: 'scam-verdict', text, source: 'bench', evidence, collect: false };
}

// A case alone shares no statement with others, so these numbers do not depend on how busy the machine is. They are the
// most that a case costs: under load, one statement serves many cases. A job takes a fixed number of Redis commands.
const BY_RULES = {
  begin: 1,
  'locks of an alert': 1,
  'what is known of an alert': 1,
  'write of an alert': 1,
  commit: 1,
  claim: 4,
  'end of stages': 5,
  delivered: 1,
  jobs: 4,
};

describe('a scam verdict alone', () => {
  it('R16 sends by rules only the statements and jobs that are listed here', async () => {
    expect(await judged(null)).toEqual(BY_RULES);
  });

  it('R16 sends only one more for each of its three model calls', async () => {
    expect(await judged(instantModel())).toEqual({ ...BY_RULES, 'intent of a call': 3 });
  });
});
