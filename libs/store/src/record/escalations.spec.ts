import { randomUUID } from 'node:crypto';
import type { NewOutboundDelivery } from '@casefile/contracts';
import { aCondition, aDelivery, answered, NOW } from '../testing/new-delivery.js';
import { testRecord } from '../testing/test-record.js';

const at = testRecord();
const MINUTE_MS = 60_000;
const LATER = NOW + MINUTE_MS;
const closedSubjects: string[] = [];
const escalation = { from: 'oncall', to: 'second', afterMs: MINUTE_MS, openUntil: null, closedSubjects };
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
    // An escalated message is not escalated again, so that two destinations do not send it to each other.
    const back = { ...escalation, from: 'second', to: 'oncall' };
    expect(await store.destinations.escalate(back, LATER + MINUTE_MS)).toBe(0);
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
