import { randomUUID } from 'node:crypto';
import type { NewOutboundDelivery } from '@casefile/contracts';
import { aCondition, aDelivery, answered, NOW } from '../testing/new-delivery.js';
import { testRecord } from '../testing/test-record.js';

const at = testRecord();
const MINUTE_MS = 60_000;
const LATER = NOW + MINUTE_MS;
const closedSubjects: string[] = [];
const unacknowledged: string[] = [];
const common = { afterMs: MINUTE_MS, openUntil: null, closedSubjects, unacknowledged };
const escalation = { from: 'oncall', to: 'second', ...common };
const closing = (over: Partial<NewOutboundDelivery> = {}) =>
  aDelivery({
    kind: 'condition-closed',
    event: { condition: { ...aCondition, closedAt: '2026-01-05T10:02:00.000Z' } },
    ...over,
  });

/** Returns kind and origin of each message to the second destination, in their order. */
async function escalated(): Promise<[kind: string, from: string | null][]> {
  const text = `select kind, event ->> 'escalatedFrom' as "from" from outbound_deliveries where destination = 'second' order by seq`;
  const rows = await at().store.database.rows<{ kind: string; from: string | null }>(text);
  return rows.map(({ kind, from }) => [kind, from]);
}

describe('messages that a destination does not accept in time', () => {
  it('go once to the other destination, and not before', async () => {
    const { store, other } = at();
    const [late, accepted] = [aDelivery(), aDelivery({ subject: 'condition queue_out' })] as const;
    await store.destinations.add([late, accepted], NOW);
    await answered(store, accepted, NOW);
    expect(await store.destinations.escalate(escalation, LATER - 1)).toBe(0);
    expect(await store.destinations.escalate(escalation, LATER)).toBe(1);
    expect(await other.destinations.escalate(escalation, LATER)).toBe(0);
    expect(await store.destinations.take('second', LATER, LATER + 1_000, 8)).toMatchObject([
      { kind: 'condition-opened', event: { escalatedFrom: 'oncall', condition: { id: 'provider_out' } } },
    ]);
  });

  it('go on to a third destination, and never back to one that has them', async () => {
    const { store } = at();
    const opening = aDelivery();
    await store.destinations.add([opening], NOW);
    await store.destinations.escalate(escalation, LATER);
    const [on, again] = [LATER + MINUTE_MS, LATER + 2 * MINUTE_MS] as const;
    const sends = (from: string, to: string, now: number) =>
      store.destinations.escalate({ ...common, from, to }, now);
    expect(await sends('second', 'oncall', on)).toBe(0);
    expect(await sends('second', 'third', on - 1)).toBe(0);
    expect(await sends('second', 'third', on)).toBe(1);
    for (const [from, to] of [
      ['second', 'third'],
      ['third', 'second'],
      ['third', 'oncall'],
    ] as const)
      // prettier-ignore
      expect(await sends(from, to, again)).toBe(0);
    // What ends it follows the same way.
    await store.destinations.add([closing()], again);
    await store.destinations.escalate(escalation, again);
    expect(await sends('second', 'third', again)).toBe(1);
    expect(await sends('second', 'third', again)).toBe(0);
    const text = `select destination, kind, event ->> 'escalatedFrom' as "from" from outbound_deliveries
      where key like 'escalated %' order by seq`;
    expect(await store.database.rows(text)).toEqual([
      { destination: 'second', kind: 'condition-opened', from: 'oncall' },
      { destination: 'third', kind: 'condition-opened', from: 'second' },
      { destination: 'second', kind: 'condition-closed', from: null },
      { destination: 'third', kind: 'condition-closed', from: null },
    ]);
  });

  it('have their closing message there too, which does not say that it was not accepted', async () => {
    const { store } = at();
    const opening = aDelivery();
    await store.destinations.add([opening], NOW);
    await store.destinations.escalate(escalation, LATER);
    await answered(store, opening, LATER);
    await store.destinations.add([closing()], LATER);
    expect(await store.destinations.escalate(escalation, LATER + 1)).toBe(1);
    expect(await escalated()).toEqual([
      ['condition-opened', 'oncall'],
      ['condition-closed', null],
    ]);
  });

  it('are left out if their condition has closed meanwhile, reported or not', async () => {
    const { store } = at();
    const other = { subject: 'condition queue_out' };
    await store.destinations.add([aDelivery(), aDelivery(other)], NOW);
    await store.destinations.add([closing()], NOW + 1);
    const now = LATER + MINUTE_MS;
    expect(await store.destinations.escalate({ ...escalation, closedSubjects: [other.subject] }, now)).toBe(
      0,
    );
    expect(await store.destinations.escalate(escalation, now)).toBe(1);
    const text = `select subject from outbound_deliveries where destination = 'second'`;
    expect(await store.database.rows(text)).toEqual([other]);
  });

  it('are followed by the later verdicts of their case, unless the other destination gets them itself', async () => {
    const { store } = at();
    const verdict = (caseId: string, over: Partial<NewOutboundDelivery> = {}) =>
      aDelivery({
        kind: 'verdict',
        caseId,
        runId: randomUUID(),
        subject: undefined,
        event: undefined,
        ...over,
      });
    const [late, onTime] = [randomUUID(), randomUUID()] as const;
    const [page, accepted] = [verdict(late), verdict(onTime)] as const;
    await store.destinations.add([page, accepted], NOW);
    await answered(store, accepted, NOW);
    expect(await store.destinations.escalate(escalation, LATER)).toBe(1);
    await answered(store, page, LATER);
    // The first destination accepts these immediately.
    const [next, own] = [verdict(late), verdict(late)] as const;
    const all = [next, own, verdict(onTime), { ...own, id: randomUUID(), destination: 'second' }];
    await store.destinations.add(all, LATER + 1);
    for (const one of all) await answered(store, one, LATER + 1);
    expect(await store.destinations.escalate(escalation, LATER + 2)).toBe(1);
    expect(await store.destinations.escalate(escalation, LATER + 2)).toBe(0);
    const text = `select case_id, run_id, key, event ->> 'escalatedFrom' as "from", event ->> 'verdictId' as verdict
      from outbound_deliveries where destination = 'second' and key like 'escalated %' order by seq`;
    expect(await store.database.rows(text)).toEqual(
      [page, next].map(({ id, runId, key }, n) => ({
        case_id: late,
        run_id: runId,
        key: `escalated ${id}`,
        from: n === 0 ? 'oncall' : null,
        verdict: key,
      })),
    );
  });

  it('are left out when they are a day old, and those of a test always', async () => {
    const { store } = at();
    const test = aDelivery({ kind: 'test', subject: undefined, event: undefined });
    await store.destinations.add([aDelivery(), test], NOW);
    expect(await store.destinations.escalate(escalation, NOW + 2 * 86_400_000)).toBe(0);
    expect(await store.destinations.escalate(escalation, LATER)).toBe(1);
  });
});

describe('pages that a destination accepted and no person acknowledged in time', () => {
  const WITHIN_MS = 15 * MINUTE_MS;
  const DUE = NOW + WITHIN_MS;
  const limit = { from: 'oncall', to: 'second', withinMs: WITHIN_MS };
  const due = async (now = DUE) =>
    (await at().store.destinations.unacknowledged(limit, now)).map(({ id }) => id);

  /** A case whose page was accepted at `NOW`. */
  async function paged(over: Partial<NewOutboundDelivery> = {}) {
    const { store, bench } = at();
    const { caseId, runId } = await bench.accept();
    await store.database.rows(`update cases set leading_run_id = $2 where id = $1`, [caseId, runId]);
    await store.database.rows(`update runs set disposition = 'act' where id = $1`, [runId]);
    const page = (more: Partial<NewOutboundDelivery> = {}) =>
      aDelivery({ kind: 'verdict', caseId, runId, subject: undefined, event: undefined, ...over, ...more });
    const first = page();
    await store.destinations.add([first], NOW);
    await answered(store, first, NOW);
    const set = (text: string) =>
      store.database.rows(`${text} = $1`, [text.includes('cases') ? caseId : runId]);
    return { store, caseId, runId, first, page, set };
  }

  it('go once to the other destination, with the reason, and not before', async () => {
    const { store, first, runId } = await paged();
    expect(await due(DUE - 1)).toEqual([]);
    expect(await store.destinations.unacknowledged(limit, DUE)).toEqual([{ id: first.id, runId }]);
    const found = { ...escalation, unacknowledged: await due() };
    expect(await store.destinations.escalate(found, DUE)).toBe(1);
    expect(await store.destinations.escalate(found, DUE)).toBe(0);
    expect(await due()).toEqual([]);
    const { deliveries } = await store.destinations.list({ destination: 'second', limit: 10 });
    expect(deliveries).toMatchObject([
      { kind: 'verdict', runId, escalated: { from: 'oncall', why: 'not-acknowledged' }, acknowledged: null },
    ]);
    // A rule that is new does not escalate what is old.
    expect(await due(DUE + 2 * 86_400_000)).toEqual([]);
  });

  it('are left alone once a person acknowledged, who is on the record', async () => {
    const { store, caseId, first } = await paged();
    const found = { ...escalation, unacknowledged: await due() };
    expect(await store.destinations.acknowledge(caseId, ['oncall', 'other'], 'ann', NOW + 1)).toEqual([
      'oncall',
    ]);
    expect(await due()).toEqual([]);
    // One that was found just before is left out too.
    expect(await store.destinations.escalate(found, DUE)).toBe(0);
    const { deliveries } = await store.destinations.list({ caseId, limit: 10 });
    expect(deliveries).toMatchObject([
      { kind: 'acknowledged' },
      { id: first.id, acknowledged: { by: 'ann', at: new Date(NOW + 1).toISOString() } },
    ]);
    await store.destinations.acknowledge(caseId, ['oncall'], 'bob', NOW + 2);
    expect(await store.destinations.acknowledge(randomUUID(), ['oncall'], 'bob', NOW + 2)).toBeNull();
    expect((await store.destinations.list({ caseId, limit: 10 })).deliveries).toEqual(deliveries);
    const events = `select data ->> 'by' as by from events where type = 'operator.acknowledged-page' and data ->> 'caseId' = $1`;
    expect(await store.database.rows(events, [caseId])).toEqual([{ by: 'ann' }]);
  });

  it.each([
    ['the alert ended', `update cases set resolved_at = now() where id`],
    ['the case is closed', `update cases set status = 'closed' where id`],
    ['the verdict in force dismisses the alert', `update runs set disposition = 'dismiss' where id`],
    [
      'a person answered',
      `insert into reviews (case_id, run_id, state) select case_id, id, 'answered' from runs where id`,
    ],
    [
      'a reviewer acknowledged the review',
      `insert into reviews (case_id, run_id, state) select case_id, id, 'acknowledged' from runs where id`,
    ],
  ])('are left alone if %s', async (_what, statement) => {
    const { set, first } = await paged();
    expect(await due()).toEqual([first.id]);
    await set(statement);
    expect(await due()).toEqual([]);
  });

  it('count from the newest page of the case, and not those of a review that is over', async () => {
    const { store, page, first } = await paged();
    const next = page({ kind: 'review-needed' });
    await store.destinations.add([next], NOW + 1);
    expect(await due()).toEqual([]);
    await answered(store, next, NOW + MINUTE_MS);
    expect(await due()).toEqual([]);
    expect(await due(DUE + MINUTE_MS)).toEqual([next.id]);
    await store.database.rows(`update outbound_deliveries set run_id = $1 where id = $2`, [
      randomUUID(),
      next.id,
    ]);
    expect(await due(DUE + MINUTE_MS)).toEqual([]);
    expect(first.id).not.toBe(next.id);
  });

  it('are not withheld ones', async () => {
    await paged({ silenceId: 'silence-1' });
    expect(await due()).toEqual([]);
  });

  it('go on to a third destination, if nobody acknowledged at the second', async () => {
    const { store, caseId } = await paged();
    const on = async (from: string, to: string, now: number) => {
      const found = await store.destinations.unacknowledged({ from, to, withinMs: WITHIN_MS }, now);
      const unacknowledged = found.map(({ id }) => id);
      await store.destinations.escalate({ ...common, from, to, unacknowledged }, now);
      await store.database.rows(
        `update outbound_deliveries set state = 'delivered', ended_at = created_at where state = 'pending'`,
      );
      return found.length;
    };
    expect(await on('oncall', 'second', DUE)).toBe(1);
    expect(await on('second', 'third', DUE + WITHIN_MS - 1)).toBe(0);
    expect(await on('second', 'oncall', DUE + WITHIN_MS)).toBe(0);
    expect(await on('second', 'third', DUE + WITHIN_MS)).toBe(1);
    const { deliveries } = await store.destinations.list({ caseId, limit: 10 });
    expect(deliveries.map(({ destination, escalated: of }) => [destination, of])).toEqual([
      ['third', { from: 'second', why: 'not-acknowledged' }],
      ['second', { from: 'oncall', why: 'not-acknowledged' }],
      ['oncall', null],
    ]);
    await store.destinations.acknowledge(caseId, ['third'], 'ann', DUE + 3 * WITHIN_MS);
    expect(await on('third', 'fourth', DUE + 3 * WITHIN_MS)).toBe(0);
  });
});
