import type { AttemptEnd, Condition, ConditionNotice, NewConditionNotice } from '@casefile/contracts';
import { manualClock } from '@casefile/contracts/testing';
import { hook } from '../destinations/testing/sender-bench.js';
import { OutageNotices } from './outage-notices.js';
import { queueOutCondition, storeOutCondition } from './stores-out.js';

const RULE = { events: ['condition' as const], condition: ['store_out' as const, 'queue_out' as const] };
const destinations = [hook('ops', { when: RULE }), hook('archive')].map((one) => ({ ...one, problem: null }));

/** Claims of all processes. `isOut`: the queue store does not answer. */
const claimStore = () => ({ claims: new Set<string>(), isOut: false });

/** One process that sends. @param fails Number of attempts that the receiver refuses. */
function bench({ shared = claimStore(), fails = 0, queueIsDatabase = false, clock = manualClock() } = {}) {
  const attempts: { to: string; id: string; kind: string; about: string | undefined }[] = [];
  const written: NewConditionNotice[] = [];
  const settled: AttemptEnd[] = [];
  let refused = 0;
  const notices = new OutageNotices({
    store: {
      destinations: {
        addNotices: async (added) => {
          written.push(...added);
          return added.length;
        },
      },
    },
    queue: {
      claim: async (name) => {
        if (shared.isOut) throw new Error('out');
        if (shared.claims.has(name)) return false;
        shared.claims.add(name);
        return true;
      },
    },
    clock,
    attempt: async ({ name }, { id, kind, event }) => {
      attempts.push({ to: name, id, kind, about: event?.condition?.id });
      const problem = refused++ < fails ? 'HTTP 500' : null;
      const at = new Date(clock.now()).toISOString();
      return {
        deliveryId: id,
        destination: name,
        attempt: { at, status: 200, latencyMs: 1, problem, response: null },
        message: 'm',
        nextAt: problem === null ? null : clock.now() + 5_000,
        pauseWhy: null,
        countsAsFailure: problem !== null,
      };
    },
    settle: async (end) => void settled.push(end),
    queueIsDatabase,
  });
  const since = new Date(clock.now()).toISOString();
  const report = (more: readonly Condition[] = [], last: readonly ConditionNotice[] = []) =>
    notices.report(since, [storeOutCondition({ since, why: 'It is out', sqlState: null }), ...more], {
      destinations,
      notices: last,
    });
  return { notices, attempts, written, settled, clock, report, since };
}

describe('T-20 an outage of the database', () => {
  it('is sent once from memory, after 10 s, to those who ask for conditions, and recorded afterwards', async () => {
    const { report, attempts, notices, written, settled, clock } = bench();
    await report();
    clock.advance(9_999);
    await report();
    expect(attempts).toEqual([]);
    clock.advance(1);
    for (let n = 0; n < 3; n += 1) await report();
    expect(attempts).toMatchObject([{ to: 'ops', kind: 'condition-opened', about: 'store_out' }]);
    await notices.record();
    await notices.record();
    const [{ id }] = attempts as [(typeof attempts)[0]];
    expect(written).toMatchObject([
      { conditionId: 'store_out', isOpen: true, delivery: { id, takenUntil: clock.now() + 60_000 } },
    ]);
    expect(settled).toMatchObject([{ deliveryId: id, attempt: { problem: null } }]);
  });

  it('is sent by one of several processes; with the same id by each if the queue store is out too', async () => {
    const shared = claimStore();
    const clock = manualClock();
    const processes = [bench({ shared, clock }), bench({ shared, clock })];
    clock.advance(10_000);
    for (const { report } of processes) await report();
    expect(processes.flatMap(({ attempts }) => attempts)).toHaveLength(1);
    const lonely = claimStore();
    lonely.isOut = true;
    const again = [bench({ shared: lonely }), bench({ shared: lonely })];
    for (const { clock: own, report, since } of again) {
      own.advance(10_000);
      await report([queueOutCondition({ since, why: 'It is out', sqlState: null, reasonCode: null })]);
    }
    const [a, b] = again.map(({ attempts }) => attempts.map(({ about, id }) => `${about ?? ''} ${id}`));
    expect(a).toHaveLength(2);
    expect(a).toEqual(b);
  });

  it('is tried again until the receiver accepts it, with the same id', async () => {
    const { report, attempts, clock, notices, settled } = bench({ fails: 1 });
    clock.advance(10_000);
    await report();
    clock.advance(4_999);
    await report();
    expect(attempts).toHaveLength(1);
    clock.advance(1);
    await report();
    await report();
    expect(new Set(attempts.map(({ id }) => id)).size).toBe(1);
    await notices.record();
    expect(settled.map(({ attempt: { problem } }) => problem)).toEqual(['HTTP 500', null]);
  });

  it('is not sent to a paused destination, nor again within 10 minutes, nor twice if the queues are in the database', async () => {
    const { report, attempts, clock, since } = bench({ queueIsDatabase: true });
    clock.advance(10_000);
    const paused = {
      ...storeOutCondition({ since, why: '', sqlState: null }),
      id: 'destination_paused.ops',
      asOf: since,
    };
    await report([paused]);
    const last = { destination: 'ops', conditionId: 'store_out', isOpen: false, openedAt: since, version: 2 };
    await report([], [last as ConditionNotice]);
    expect(attempts).toEqual([]);
    await report([queueOutCondition({ since, why: 'It is out', sqlState: null, reasonCode: null })]);
    expect(attempts.map(({ about }) => about)).toEqual(['store_out']);
  });
});
