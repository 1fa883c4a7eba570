import { randomUUID } from 'node:crypto';
import type { NewConditionNotice, NewOutboundDelivery } from '@casefile/contracts';
import { testRecord } from '../testing/test-record.js';

const at = testRecord();
const NOW = Date.parse('2026-01-05T10:00:00.000Z');
const condition = {
  id: 'provider_out',
  severity: 'error' as const,
  since: null,
  text: 'The provider is not available',
  effect: 'Its cases wait.',
  act: 'Check its key.',
  link: '/',
  openedAt: new Date(NOW).toISOString(),
  closedAt: null,
};

function delivery(over: Partial<NewOutboundDelivery> = {}): NewOutboundDelivery {
  const id = randomUUID();
  return {
    id,
    destination: 'oncall',
    kind: 'condition-opened',
    key: id,
    caseId: null,
    runId: null,
    openUntil: null,
    subject: 'condition provider_out',
    event: { condition },
    ...over,
  };
}

const opened = (over: Partial<NewConditionNotice> = {}): NewConditionNotice => ({
  destination: 'oncall',
  conditionId: condition.id,
  isOpen: true,
  condition,
  openedAt: condition.openedAt,
  closedAt: null,
  replaces: 0,
  delivery: delivery(),
  ...over,
});

describe('messages about conditions', () => {
  it('are written once, although two processes write them at the same time', async () => {
    const { store, other } = at();
    const written = await Promise.all(
      [store, other, store, other].map(({ destinations }) => destinations.addNotices([opened()], NOW)),
    );
    expect(written.sort()).toEqual([0, 0, 0, 1]);
    const { deliveries } = await store.destinations.list({ limit: 10 });
    expect(deliveries.map(({ kind, state }) => [kind, state])).toEqual([['condition-opened', 'pending']]);

    const closedAt = new Date(NOW + 60_000).toISOString();
    const closing = () => opened({ isOpen: false, closedAt, replaces: 1, delivery: delivery({ kind: 'condition-closed' }) }); // prettier-ignore
    expect(await store.destinations.addNotices([closing()], NOW)).toBe(1);
    expect(await other.destinations.addNotices([closing()], NOW)).toBe(0);
    expect(await store.destinations.notices()).toEqual([
      { destination: 'oncall', conditionId: 'provider_out', isOpen: false, condition, openedAt: condition.openedAt, closedAt, version: 2 }, // prettier-ignore
    ]);
    const [first] = await store.destinations.take('oncall', NOW, NOW + 1_000, 8);
    expect(first).toMatchObject({ kind: 'condition-opened', event: { condition: { id: 'provider_out' } } });
  });

  it('about one condition are sent in order, those about another one do not wait for them', async () => {
    const { store } = at();
    const [a, b, c] = [
      delivery(),
      delivery({ kind: 'condition-closed' }),
      delivery({ subject: 'condition queue_out' }),
    ] as const;
    for (const one of [a, b, c]) await store.destinations.add([one], NOW);
    const take = async (now: number) =>
      (await store.destinations.take('oncall', now, now + 1_000, 8)).map(({ id }) => id);
    expect(await take(NOW)).toEqual([a.id, c.id]);
    expect(await take(NOW)).toEqual([]);
    const attempt = {
      at: new Date(NOW).toISOString(),
      status: 200,
      latencyMs: 1,
      problem: null,
      response: null,
    };
    const end = {
      deliveryId: a.id,
      destination: 'oncall',
      attempt,
      message: 'm',
      nextAt: null,
      pauseWhy: null,
      countsAsFailure: true,
    };
    await store.destinations.settle(end, NOW, { forMs: 1, deliveries: 1 });
    expect(await take(NOW)).toEqual([b.id]);
  });

  it('are forgotten with their destination, and the reported time is kept', async () => {
    const { store } = at();
    const act = { actId: randomUUID(), by: 'ann', reason: '' };
    const entry = {
      type: 'webhook' as const,
      url: 'https://oncall.example/in',
      when: {},
      allowPrivate: false,
    };
    await store.destinations.put('add', { name: 'oncall', entry }, act);
    await store.destinations.addNotices([opened(), opened({ destination: 'team' })], NOW);
    await store.destinations.remove('oncall', { ...act, actId: randomUUID() });
    expect((await store.destinations.notices()).map(({ destination }) => destination)).toEqual(['team']);
    expect(await store.destinations.reportedUntil('reviews')).toBeNull();
    for (const time of [NOW, NOW + 1]) await store.destinations.setReportedUntil('reviews', time);
    expect(await store.destinations.reportedUntil('reviews')).toBe(NOW + 1);
  });
});
