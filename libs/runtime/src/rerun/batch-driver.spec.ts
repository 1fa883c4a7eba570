import {
  silentLogger,
  CasefileError,
  InvalidInput,
  type BatchAsk,
  type BatchAtWork,
} from '@casefile/contracts';
import { manualClock } from '@casefile/contracts/testing';
import fc from 'fast-check';
import { affordableRuns, BatchDriver, type BatchDriverPorts } from './batch-driver.js';

type Member = { position: number; state: 'waiting' | 'opened' | 'failed' | 'ended'; message?: string };

/**
 * A record of one batch, and a process that may die at any write. The write persists, and its answer is lost.
 */
function setUp(total: number, ask: BatchAsk = { filter: {} }, { cost = 0, expected = 0 } = {}) {
  const members = Array.from({ length: total }, (_, position): Member => ({ position, state: 'waiting' }));
  const opens = new Map<string, number>();
  const made = new Set<string>();
  const at = { clock: manualClock(), dies: () => false, refuses: (_position: number): Error | null => null };
  const held: string[] = [];
  const count = (state: Member['state']) => members.filter((member) => member.state === state).length;
  const dying = () => {
    if (at.dies()) throw new CasefileError('store_unreachable', 'killed', { retryable: true });
  };
  const ports: BatchDriverPorts = {
    clock: at.clock,
    log: silentLogger,
    batches: {
      atWork: async (): Promise<BatchAtWork[]> => {
        if (held.length > 0) return [];
        const figures = { waiting: count('waiting'), open: count('opened'), held: 0, done: count('ended') };
        return [
          {
            id: 'b',
            state: 'running',
            ask,
            ...figures,
            costUsd: count('ended') * cost,
            budgetUsd: ask.budgetUsd ?? null,
            expectedUsd: expected,
          },
        ];
      },
      waitingMembers: async (_id, limit) =>
        members
          .filter(({ state }) => state === 'waiting')
          .slice(0, limit)
          .map(({ position }) => ({
            position,
            caseId: `c${position}`,
            baseRunId: `b${position}`,
            runId: `r${position}`,
            twinRunId: null,
          })),
      markOpened: async (_id, positions, failed) => {
        dying();
        for (const position of positions) members[position]!.state = 'opened';
        for (const { position, message } of failed)
          Object.assign(members[position]!, { state: 'failed', message });
        dying();
      },
      hold: async (_id, reason) => void held.push(reason),
      membersToCompare: async () => [],
      markCompared: async () => undefined,
      membersToApply: async () => [],
      applyMembers: async () => undefined,
    },
    playbooks: [],
    rerun: {
      openMember: async ({ runId }) => {
        const refusal = at.refuses(Number(runId.slice(1)));
        if (refusal !== null) throw refusal;
        opens.set(runId, (opens.get(runId) ?? 0) + 1);
        made.add(runId);
        dying();
      },
    },
  };
  const end = () =>
    members.forEach((member) => void (member.state = member.state === 'opened' ? 'ended' : member.state));
  return { at, ports, members, opens, made, held, count, end };
}

const driverOf = ({ ports }: ReturnType<typeof setUp>, open = 200) =>
  new BatchDriver(ports, { open, applied: 10, atOnce: 4 });

describe('a batch', () => {
  it('S4-62 opens each of its runs, under the id that it has on the record, even if a process dies meanwhile', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 60 }),
        fc.infiniteStream(fc.boolean()),
        async (total, kills) => {
          const bench = setUp(total);
          bench.at.dies = () => kills.next().value === true;
          // Another process replaces the dead one and knows nothing of its open work.
          for (let n = 0; n < 40 && bench.count('waiting') > 0; n += 1)
            await driverOf(bench)
              .tick()
              .catch(() => undefined);
          bench.at.dies = () => false;
          await driverOf(bench).tick();
          expect(bench.count('opened')).toBe(total);
          expect(bench.made.size).toBe(total);
        },
      ),
    );
  });

  it('opens only the runs that are being opened once a stop has begun, and the others later, each once', async () => {
    const bench = setUp(100);
    const stop = new AbortController();
    const { openMember } = bench.ports.rerun;
    bench.ports.rerun.openMember = async (...args) => {
      stop.abort();
      return openMember(...args);
    };
    await driverOf(bench).tick(stop.signal);
    expect(bench.count('opened')).toBe(4);
    await driverOf(bench).tick(stop.signal);
    expect(bench.count('opened')).toBe(4);
    await driverOf(bench).tick();
    expect([bench.count('opened'), ...new Set(bench.opens.values())]).toEqual([100, 1]);
  });

  it('S4-62 keeps to its rate, also after a pass that came late, and never has more under way than it may', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 50 }),
        fc.array(fc.integer({ min: 50, max: 3_000 }), { minLength: 20, maxLength: 40 }),
        async (ratePerSecond, pauses) => {
          const bench = setUp(5_000, { filter: {}, ratePerSecond });
          const driver = driverOf(bench, 1_000);
          await driver.tick();
          let waited = 0;
          for (const pause of pauses) {
            bench.at.clock.advance(pause);
            waited += pause;
            bench.end();
            await driver.tick();
          }
          const begun = 5_000 - bench.count('waiting');
          // One division of whole numbers, because two roundings can miss the exact rate.
          const atRate = (waited * ratePerSecond) / 1_000;
          expect(begun).toBeLessThanOrEqual(atRate + 1);
          expect(begun).toBeGreaterThanOrEqual(atRate - 1);
        },
      ),
    );
    const bench = setUp(100);
    await driverOf(bench, 30).tick();
    await driverOf(bench, 30).tick();
    expect(bench.count('opened')).toBe(30);
  });

  it('S4-62 opens no run that its budget has no room for, and is held when it is used up', async () => {
    const bench = setUp(10, { filter: {}, budgetUsd: 0.35 }, { cost: 0.1, expected: 0.1 });
    await driverOf(bench).tick();
    expect(bench.count('opened')).toBe(3);
    await driverOf(bench).tick();
    expect([bench.count('opened'), bench.held]).toEqual([3, []]);
    bench.end();
    await driverOf(bench).tick();
    expect(bench.held).toEqual(['its budget is used up']);
    const waiting = setUp(10, { filter: {}, budgetUsd: 100 });
    const atWork = waiting.ports.batches.atWork;
    waiting.ports.batches.atWork = async () => (await atWork()).map((one) => ({ ...one, held: 1 }));
    await driverOf(waiting).tick();
    expect([waiting.count('opened'), waiting.held]).toEqual([0, ['its budget is used up']]);
    const batch = { ask: { budgetUsd: 1 }, costUsd: 0.2, open: 3, expectedUsd: 0.1 } as BatchAtWork;
    expect(affordableRuns(batch)).toBe(5);
    expect(affordableRuns({ ...batch, ask: {} })).toBe(Number.MAX_SAFE_INTEGER);
  });

  it('S4-62 says of a case that cannot be judged again why, and continues with the others; an outage counts against no case', async () => {
    const bench = setUp(5);
    const refusal = new InvalidInput([{ path: 'settings.strategy', message: 'expected one of a, b' }], 'run');
    bench.at.refuses = (position) => (position === 2 ? refusal : null);
    await driverOf(bench).tick();
    expect(bench.members[2]).toMatchObject({
      state: 'failed',
      message: 'settings.strategy: expected one of a, b',
    });
    expect(bench.count('opened')).toBe(4);
    const down = setUp(3);
    down.at.refuses = () => new CasefileError('store_unreachable', 'away', { retryable: true });
    await expect(driverOf(down).tick()).rejects.toMatchObject({ reasonCode: 'store_unreachable' });
    expect(down.count('waiting')).toBe(3);
  });
});
