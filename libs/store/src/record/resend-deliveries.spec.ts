import { aCondition, aDelivery, answered, NOW } from '../testing/new-delivery.js';
import { testRecord } from '../testing/test-record.js';

const at = testRecord();
const LATER = NOW + 3_600_000;

/** Writes an opening and a closing message. The receiver answered each, or it still waits (null). */
async function openedAndClosed(...problems: readonly (string | null | undefined)[]) {
  const { store } = at();
  const closed = { condition: { ...aCondition, closedAt: new Date(NOW).toISOString() } };
  const both = [aDelivery(), aDelivery({ kind: 'condition-closed', event: closed })] as const;
  for (const one of both) await store.destinations.add([one], NOW);
  for (const [n, problem] of problems.entries())
    if (problem !== undefined) await answered(store, both[n]!, NOW, problem);
  return both;
}

/** Sends what is due, in as many passes as there are messages, and returns its kinds in their order. */
async function sent(): Promise<string[]> {
  const { store } = at();
  const kinds: string[] = [];
  const send = async () => {
    for (const { id, kind } of await store.destinations.take('oncall', LATER, LATER + 1_000, 8)) {
      kinds.push(kind);
      await answered(store, { id, destination: 'oncall' }, LATER);
    }
  };
  for (let pass = 0; pass < 3; pass += 1) await send();
  return kinds;
}

const IN_ORDER = ['condition-opened', 'condition-closed'];

describe('a message about a condition that is sent again', () => {
  it('is sent before its closing message, which is sent again too', async () => {
    const [opening] = await openedAndClosed(null, null);
    expect(await at().store.destinations.resend(opening.id, 'ann', LATER)).toBe(true);
    expect(await sent()).toEqual(IN_ORDER);
  });

  it('is sent after its opening message that still waits', async () => {
    const { store } = at();
    const [, closing] = await openedAndClosed('HTTP 500', undefined);
    await store.database.rows(`update outbound_deliveries set next_at = next_at + interval '1 day'`);
    expect(await store.destinations.resend(closing.id, 'ann', LATER)).toBe(true);
    expect(await sent()).toEqual(IN_ORDER);
  });

  it('is sent alone if it is a closing message whose opening was received', async () => {
    const [, closing] = await openedAndClosed(null, null);
    await at().store.destinations.resend(closing.id, 'ann', LATER);
    expect(await sent()).toEqual(['condition-closed']);
  });

  it('keeps the order if messages of one state are sent again since a time', async () => {
    const { store } = at();
    const [opening] = await openedAndClosed(null, null);
    await store.database.rows(`update outbound_deliveries set state = 'exhausted' where id = $1`, [
      opening.id,
    ]);
    const since = new Date(NOW).toISOString();
    expect(await store.destinations.resendSince('oncall', since, ['exhausted'], 'ann', LATER)).toBe(2);
    expect(await sent()).toEqual(IN_ORDER);
  });

  it('is not one that was cancelled', async () => {
    const { store } = at();
    const [opening] = await openedAndClosed(undefined, undefined);
    await store.destinations.endRemoved(['other'], NOW);
    expect(await store.destinations.resend(opening.id, 'ann', LATER)).toBe(false);
    expect(await sent()).toEqual([]);
  });
});
