import { silentLogger, type ConditionNotice, type NewConditionNotice, type NewOutboundDelivery, type OverdueReview, type Silence } from '@casefile/contracts'; // prettier-ignore
import { manualClock } from '@casefile/contracts/testing';
import { hook, id, message } from '../destinations/testing/sender-bench.js';
import { ConditionWatch } from './condition-watch.js';
import type { OpenConditions } from './conditions.js';
import type { Outage } from './store-watch.js';

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
  hasHeartbeat = false,
  writesFail = async () => undefined,
  state = async () => OPEN,
  destinations = [hook('oncall', { when: { events: ['condition', 'review'] } })],
  silences = [] as Silence[],
  auditHead = null as { to: string; cron: string; timezone: string } | null,
} = {}) {
  const clock = manualClock();
  const written = { notices: [] as NewConditionNotice[], deliveries: [] as NewOutboundDelivery[] };
  const overdue: OverdueReview[] = [];
  const reported = new Map(mark === null ? [] : [['review-overdue', clock.now() - mark]]);
  let released = 0;
  let wakes = 0;
  const periods: number[] = [];
  const escalated: string[] = [];
  const ended = { reviews: [] as string[][], removed: [] as string[][] };
  const warnings: string[] = [];
  const beats: number[] = [];
  const outage = { now: null as Outage | null };
  const reports: unknown[] = [];
  const watch = new ConditionWatch({
    auditHead,
    store: {
      audit: { head: async () => ({ count: 7, hash: 'ab'.repeat(32) }) } as never,
      lead: async () => (isLeader ? { release: async () => void (released += 1) } : null),
      destinations: {
        escalate: async ({ from, to, afterMs, closedSubjects, unacknowledged }) =>
          escalated.push(
            [`${from} to ${to} after ${afterMs}`, ...closedSubjects].join(' without ') +
              unacknowledged.map((page) => `, ${page}`).join(''),
          ),
        unacknowledged: async ({ withinMs }) => [{ id: `page of ${withinMs / 1_000} s`, runId: id(1) }],
        endReviews: async (names) => {
          ended.reviews.push([...names]);
          return 0;
        },
        endRemoved: async (names) => ended.removed.push([...names]),
        notices: async () => written.notices.map(({ replaces, ...one }): ConditionNotice => ({ ...one, version: replaces + 1 })), // prettier-ignore
        addNotices: async (notices) => {
          await writesFail();
          written.notices.push(...notices);
          return notices.length;
        },
        add: async (deliveries) => void written.deliveries.push(...deliveries),
        labels: async () => ({}),
        reportedUntil: async (kind) => reported.get(kind) ?? null,
        setReportedUntil: async (kind, at) => void reported.set(kind, at),
      },
      silences: { inForce: async () => silences, fields: async (runIds) => runIds.map((runId) => ({ runId, fields: { service: 'checkout' } })) }, // prettier-ignore
      reviews: {
        becameOverdue: async ({ at, runId }, to, _hours, limit) => {
          periods.push(to - at);
          const isAfter = (one: OverdueReview) =>
            Date.parse(one.overdueAt) > at ||
            (Date.parse(one.overdueAt) === at && runId !== null && one.runId > runId);
          return overdue.filter(isAfter).slice(0, limit);
        },
      },
    },
    clock,
    log: { ...silentLogger, warn: (_data, text) => void warnings.push(String(text)) },
    destinations: async () => destinations.map((one) => ({ problem: null, ...one })),
    outage: async () => outage.now,
    outages: {
      report: async (since, conditions, { destinations: known }) => {
        reports.push([since, conditions.length, known.length]);
      },
      record: async () => void reports.push('recorded'),
    },
    state,
    answerWithinHours: { default: 24 },
    heartbeat: hasHeartbeat
      ? { beat: async (seen) => void beats.push(seen.conditions.length), close: async () => undefined }
      : null,
    wake: () => void (wakes += 1),
  });
  /** Adds reviews that became overdue `agoMs` ago, one each `stepMs`. */
  const late = (count: number, agoMs: number, stepMs = 1) => {
    for (let n = 0; n < count; n += 1)
      overdue.push({
        caseId: id(n),
        runId: id(n),
        playbook: 'scam-verdict',
        since: '2026-01-04T10:00:00.000Z',
        withinHours: 24,
        overdueAt: new Date(clock.now() - agoMs + n * stepMs).toISOString(),
        verdict: { ...message(1).verdict },
      });
  };
  const counts = () => ({ released, wakes, until: reported.get('review-overdue') });
  return {
    watch,
    outage,
    reports,
    written,
    escalated,
    ended,
    warnings,
    beats,
    overdue,
    late,
    clock,
    periods,
    counts,
  };
}

describe('the watch of conditions', () => {
  it('writes a message once, and releases the lead', async () => {
    const { watch, written, counts } = bench();
    await watch.tick();
    await watch.tick();
    expect(written.notices.map(({ conditionId }) => conditionId)).toEqual(['queue_out']);
    expect(counts()).toMatchObject({ released: 2, wakes: 1 });
  });

  it('reports an outage of the database with what it read last, and asks the record for nothing then', async () => {
    const { watch, outage, reports, counts, written } = bench();
    await watch.tick();
    outage.now = { since: '2026-01-05T10:00:00.000Z', why: 'It is out', sqlState: null, reasonCode: null };
    await watch.tick();
    expect(reports).toEqual(['recorded', ['2026-01-05T10:00:00.000Z', 1, 1]]);
    expect(counts().released).toBe(1);
    outage.now = null;
    await watch.tick();
    expect(reports.at(-1)).toBe('recorded');
    expect(written.notices).toHaveLength(1);
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

  it('reports each of 1,200 reviews that become overdue at one time', async () => {
    const { watch, written, late } = bench();
    late(1_200, 10_000, 0);
    await watch.tick();
    expect(new Set(written.deliveries.map(({ key }) => key)).size).toBe(1_200);
  });

  it('reports a review again when it was snoozed and is overdue again, and not otherwise', async () => {
    const { watch, written, late, overdue, clock } = bench();
    late(1, 10_000);
    await watch.tick();
    await watch.tick();
    clock.advance(600_000);
    overdue[0]!.overdueAt = new Date(clock.now() - 1).toISOString();
    await watch.tick();
    expect([...new Set(written.deliveries.map(({ key }) => key))]).toEqual([
      `overdue ${id(0)} 2026-01-05T09:59:50.000Z`,
      `overdue ${id(0)} 2026-01-05T10:09:59.999Z`,
    ]);
  });

  it('reports the other overdue reviews although one cannot be read', async () => {
    const { watch, written, late, overdue, warnings } = bench();
    late(3, 10_000);
    Object.assign(overdue[1]!, { verdict: null });
    await watch.tick();
    expect(written.deliveries.map(({ runId }) => runId)).toEqual([id(0), id(2)]);
    expect(warnings).toEqual(['an overdue review was not reported yet']);
  });

  it('sends heartbeats only as leader and after it read the conditions, also without a destination', async () => {
    const beatsOf = async (over: Parameters<typeof bench>[0]) => {
      const { watch, beats } = bench({ hasHeartbeat: true, destinations: [], ...over });
      await watch.tick();
      await watch.stop();
      return beats;
    };
    expect(await beatsOf({})).toEqual([OPEN.conditions.length]);
    expect(await beatsOf({ isLeader: false })).toEqual([]);
    expect(await beatsOf({ state: () => Promise.reject(new Error('away')) })).toEqual([]);
    const writesFail = () => Promise.reject(new Error('read-only'));
    expect(await beatsOf({ writesFail })).toEqual([]);
  });

  it('writes a test that is due to a destination that asks for nothing else', async () => {
    const { watch, written, clock } = bench({
      mark: null,
      destinations: [hook('a', { testCron: '0 * * * *' })],
    });
    await watch.tick();
    clock.advance(3_600_000);
    await watch.tick();
    expect(written.deliveries).toMatchObject([{ kind: 'test', destination: 'a' }]);
  });

  it('S2-28 writes the head of the audit log once at each of its times', async () => {
    const { watch, written, clock } = bench({
      mark: null,
      destinations: [hook('a')],
      auditHead: { to: 'a', cron: '0 * * * *', timezone: 'UTC' },
    });
    await watch.tick();
    expect(written.deliveries).toEqual([]);
    clock.advance(3_600_000);
    await watch.tick();
    await watch.tick();
    expect(written.deliveries).toMatchObject([
      { kind: 'audit-head', destination: 'a', event: { auditHead: `7:${'ab'.repeat(32)}` } },
    ]);
  });

  it('ends the reviews at destinations that report ends', async () => {
    const asks = { when: { events: ['review' as const] } };
    const pager = { ...asks, type: 'pagerduty' as const, secret: 'key' };
    const { watch, ended } = bench({ destinations: [hook('hook', asks), hook('pager', pager)] });
    await watch.tick();
    expect(ended.reviews).toEqual([['pager']]);
  });

  it('ends what waits for removed destinations after an hour, also if no other one asks for conditions', async () => {
    const { watch, ended, clock } = bench({ destinations: [hook('a')] });
    await watch.tick();
    clock.advance(3_599_999);
    await watch.tick();
    expect(ended.removed).toEqual([]);
    clock.advance(1);
    await watch.tick();
    await watch.tick();
    expect(ended.removed).toEqual([['a']]);
  });

  it('withholds overdue reviews of alerts that a silence matches', async () => {
    const matchers = [{ name: 'service', value: 'checkout', isRegex: false, isEqual: true }];
    const { watch, written, late } = bench({ silences: [{ id: 'a', matchers }] });
    late(2, 10_000);
    await watch.tick();
    expect(written.deliveries.map(({ silenceId }) => silenceId)).toEqual(['a', 'a']);
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
      hook('b', { escalateTo: 'c', afterSeconds: 120 }),
      hook('c', { escalateTo: 'removed' }),
    ];
    const { watch, escalated } = bench({ destinations });
    await watch.tick();
    expect(escalated).toEqual(['a to b after 60000', 'b to c after 120000']);
  });

  it('escalates pages that nobody acknowledged in the set time, and none while a silence matches', async () => {
    const destinations = [hook('a', { escalateTo: 'b', acknowledgeWithinSeconds: 900 }), hook('b')];
    const loud = bench({ destinations });
    await loud.watch.tick();
    expect(loud.escalated).toEqual(['a to b after 60000, page of 900 s']);
    const matcher = { name: 'service', value: 'checkout', isRegex: false, isEqual: true };
    const silent = bench({ destinations, silences: [{ id: 's', matchers: [matcher] }] });
    await silent.watch.tick();
    expect(silent.escalated).toEqual(['a to b after 60000']);
  });

  it('escalates no opening of a condition that has closed, although its closing message is not due yet', async () => {
    const conditions = { events: ['condition' as const] };
    let state = OPEN;
    const destinations = [hook('a', { when: conditions, escalateTo: 'b' }), hook('b')];
    const { watch, escalated, written, clock } = bench({ destinations, state: async () => state });
    await watch.tick();
    // It closed a minute ago, was reported as closed, and opened again.
    written.notices[0]!.closedAt = new Date(clock.now() - 60_000).toISOString();
    state = { conditions: [], unknown: new Set() };
    await watch.tick();
    expect(written.notices.map(({ isOpen }) => isOpen)).toEqual([true]);
    state = { conditions: [], unknown: new Set(['queue_out']) };
    await watch.tick();
    const late = 'a to b after 60000';
    expect(escalated).toEqual([late, `${late} without condition queue_out`, late]);
  });
});
