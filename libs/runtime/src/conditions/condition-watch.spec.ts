import { silentLogger, type ConditionNotice, type NewConditionNotice, type NewOutboundDelivery, type OverdueReview } from '@casefile/contracts'; // prettier-ignore
import { manualClock } from '@casefile/contracts/testing';
import { hook, id, message } from '../destinations/testing/sender-bench.js';
import { ConditionWatch } from './condition-watch.js';
import type { OpenConditions } from './conditions.js';

const OPEN: OpenConditions = {
  conditions: [
    {
      id: 'queue_out',
      severity: 'error',
      since: null,
      text: 'It is away',
      effect: 'None.',
      act: 'Wait.',
      link: '/',
    },
  ],
  unknown: new Set(),
};
const DAY_MS = 86_400_000;

/** A watch over stores in memory. @param mark Time until which reviews were reported. */
function bench({
  isLeader = true,
  mark = 0 as number | null,
  state = async () => OPEN,
  destinations = [hook('oncall', { when: { events: ['condition', 'review'] } })],
} = {}) {
  const clock = manualClock();
  const written = { notices: [] as NewConditionNotice[], deliveries: [] as NewOutboundDelivery[] };
  const overdue: OverdueReview[] = [];
  let until = mark === null ? null : clock.now() - mark;
  let released = 0;
  let wakes = 0;
  const periods: number[] = [];
  const escalated: string[] = [];
  const watch = new ConditionWatch({
    store: {
      lead: async () => (isLeader ? { release: async () => void (released += 1) } : null),
      destinations: {
        escalate: async ({ from, to, afterMs }) => escalated.push(`${from} to ${to} after ${afterMs}`),
        notices: async () => written.notices.map(({ replaces, ...one }): ConditionNotice => ({ ...one, version: replaces + 1 })), // prettier-ignore
        addNotices: async (notices) => {
          written.notices.push(...notices);
          return notices.length;
        },
        add: async (deliveries) => void written.deliveries.push(...deliveries),
        labels: async () => ({}),
        reportedUntil: async () => until,
        setReportedUntil: async (_kind, at) => void (until = at),
      },
      reviews: {
        becameOverdue: async (after, to, _hours, limit) => {
          periods.push(to - after);
          return overdue.filter(({ overdueAt }) => Date.parse(overdueAt) > after).slice(0, limit);
        },
      },
    },
    clock,
    log: silentLogger,
    destinations: async () => destinations,
    state,
    answerWithinHours: { default: 24 },
    wake: () => void (wakes += 1),
  });
  /** Adds reviews that became overdue `agoMs` ago, one per millisecond. */
  const late = (count: number, agoMs: number) => {
    for (let n = 0; n < count; n += 1)
      overdue.push({
        caseId: id(n),
        runId: id(n),
        playbook: 'scam-verdict',
        since: '2026-01-04T10:00:00.000Z',
        withinHours: 24,
        overdueAt: new Date(clock.now() - agoMs + n).toISOString(),
        verdict: { ...message(1).verdict },
      });
  };
  return { watch, written, escalated, late, clock, periods, counts: () => ({ released, wakes, until }) };
}

describe('the watch of conditions', () => {
  it('writes a message once, and releases the lead', async () => {
    const { watch, written, counts } = bench();
    await watch.tick();
    await watch.tick();
    expect(written.notices.map(({ conditionId }) => conditionId)).toEqual(['queue_out']);
    expect(counts()).toMatchObject({ released: 2, wakes: 1 });
  });

  it('writes nothing while another process leads', async () => {
    const { watch, written } = bench({ isLeader: false });
    await watch.tick();
    expect(written.notices).toEqual([]);
  });

  it('reports overdue reviews although conditions cannot be read, each page of them', async () => {
    const { watch, written, late, clock, counts } = bench({ state: () => Promise.reject(new Error('away')) });
    late(1_200, 10_000);
    await watch.tick();
    expect(new Set(written.deliveries.map(({ key }) => key)).size).toBe(1_200);
    expect(written.deliveries[0]).toMatchObject({ kind: 'review-overdue', destination: 'oncall' });
    expect(counts()).toMatchObject({ released: 1, until: clock.now() });
  });

  it('reports no old reviews at its first pass, and none of before the last day after a pause', async () => {
    const first = bench({ mark: null });
    first.late(3, 10_000);
    await first.watch.tick();
    expect([first.written.deliveries, first.periods]).toEqual([[], []]);
    const paused = bench({ mark: 10 * DAY_MS });
    await paused.watch.tick();
    expect(paused.periods).toEqual([DAY_MS]);
  });

  it('escalates from a destination to another one that exists, after its time', async () => {
    const destinations = [
      hook('a', { escalateTo: 'b' }),
      hook('b', { escalateTo: 'c', afterSeconds: 60 }),
      hook('c', { escalateTo: 'removed' }),
    ];
    const { watch, escalated } = bench({ destinations });
    await watch.tick();
    expect(escalated).toEqual(['a to b after 300000', 'b to c after 60000']);
  });
});
