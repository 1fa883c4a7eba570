import { randomUUID } from 'node:crypto';
import type { NewOutboundDelivery } from '@casefile/contracts';
import { aCondition, aDelivery, answered, NOW } from '../testing/new-delivery.js';
import { aVerdict } from '../testing/store-bench.js';
import { testRecord } from '../testing/test-record.js';

const at = testRecord();
const OPEN_UNTIL = NOW + 86_400_000;

/** Decides a case, and returns a maker of messages about its review. */
async function review(disposition = 'review', earlier?: { caseId: string }) {
  const { bench, store } = at();
  const { caseId, runId } = await bench.accept();
  await bench.decide(runId, { body: { ...aVerdict('warn'), disposition } });
  if (earlier !== undefined) {
    await store.database.rows('update runs set case_id = $1 where id = $2', [earlier.caseId, runId]);
    await store.database.rows('update cases set leading_run_id = $2 where id = $1', [earlier.caseId, runId]);
  }
  const message = (over: Partial<NewOutboundDelivery> = {}) =>
    aDelivery({
      destination: 'pager',
      kind: 'review-needed',
      caseId,
      runId,
      openUntil: OPEN_UNTIL,
      subject: undefined,
      event: { review: { since: '2026-01-05T09:00:00.000Z', withinHours: 24 }, verdictId: 'verdict' },
      ...over,
    });
  const answer = () => store.database.rows('update runs set reviewed_at = now() where id = $1', [runId]);
  return { caseId, runId, message, answer };
}

async function all(): Promise<string[]> {
  const text = `select kind, destination, state, ended_why from outbound_deliveries order by seq`;
  type Row = { kind: string; destination: string; state: string; ended_why: string | null };
  const rows = await at().store.database.rows<Row>(text);
  return rows.map(({ kind, destination, state, ended_why }) =>
    [destination, kind, state, ...(ended_why === null ? [] : [ended_why])].join(' '),
  );
}
const WHY = 'The review had ended before this message was sent.';

describe('messages about a review that a person answered', () => {
  it('have an end, once, at a destination that reports ends and may have got them', async () => {
    const { store } = at();
    const { caseId, runId, message, answer } = await review();
    const sent = message();
    await store.destinations.add([sent], NOW);
    await answered(store, sent, NOW);
    expect(await store.destinations.endReviews(['pager'], NOW)).toBe(0);
    await answer();
    expect(await store.destinations.endReviews(['pager'], NOW)).toBe(1);
    expect(await store.destinations.endReviews(['pager'], NOW)).toBe(0);
    expect(await store.destinations.take('pager', NOW, NOW + 1_000, 8)).toMatchObject([
      { kind: 'review-answered', caseId, runId, event: { verdictId: 'verdict' } },
    ]);
  });

  it('are cancelled if they wait, and have an end if an attempt may have reached the receiver', async () => {
    const { store } = at();
    const { message, answer } = await review();
    const tried = message({ destination: 'tried' });
    await store.destinations.add([message(), tried, message({ destination: 'hook', openUntil: null })], NOW);
    await answered(store, tried, NOW, 'no answer in time');
    await answer();
    expect(await store.destinations.endReviews(['pager', 'tried'], NOW)).toBe(1);
    expect(await all()).toEqual([
      `pager review-needed cancelled ${WHY}`,
      `tried review-needed cancelled ${WHY}`,
      `hook review-needed cancelled ${WHY}`,
      'tried review-answered pending',
    ]);
    const { deliveries } = await store.destinations.list({ state: 'cancelled', limit: 10 });
    expect(deliveries.map(({ endedWhy, nextAt }) => [endedWhy, nextAt])).toEqual(Array(3).fill([WHY, null]));
  });

  it('are not cancelled while a process sends them', async () => {
    const { store } = at();
    const { message, answer } = await review();
    await store.destinations.add([message()], NOW);
    await store.destinations.take('pager', NOW, NOW + 1_000, 8);
    await answer();
    await store.destinations.endReviews([], NOW + 999);
    expect(await all()).toEqual(['pager review-needed pending']);
    await store.destinations.endReviews([], NOW + 1_000);
    expect(await all()).toEqual([`pager review-needed cancelled ${WHY}`]);
  });

  it('have no end if a newer verdict of the case was sent, which the receiver still needs', async () => {
    const { store } = at();
    const { message, answer } = await review();
    const [sent, verdict] = [message(), message({ kind: 'verdict' })] as const;
    for (const one of [sent, verdict]) {
      await store.destinations.add([one], NOW);
      await answered(store, one, NOW);
    }
    await answer();
    expect(await store.destinations.endReviews(['pager'], NOW)).toBe(0);
  });

  it.each([
    ['dismiss', ['pager review-needed delivered', 'pager review-answered pending']],
    ['review', ['pager review-needed delivered']],
  ])(
    'end if a verdict with the disposition %s replaced theirs, if that one needs no review',
    async (by, left) => {
      const { store } = at();
      const first = await review();
      const sent = first.message();
      await store.destinations.add([sent], NOW);
      await answered(store, sent, NOW);
      await review(by, first);
      await store.destinations.endReviews(['pager'], NOW);
      expect(await all()).toEqual(left);
    },
  );
});

describe('messages to a destination that was removed from the configuration', () => {
  it('are cancelled with a reason, and its conditions are forgotten', async () => {
    const { store } = at();
    const notice = (destination: string) => ({
      destination,
      conditionId: aCondition.id,
      isOpen: true,
      condition: aCondition,
      openedAt: aCondition.openedAt,
      closedAt: null,
      replaces: 0,
      delivery: aDelivery({ destination }),
    });
    await store.destinations.addNotices([notice('oncall'), notice('gone')], NOW);
    const verdict = { kind: 'verdict' as const, caseId: randomUUID(), subject: undefined, event: undefined };
    await store.destinations.add([aDelivery({ ...verdict, destination: 'gone' })], NOW);
    expect(await store.destinations.endRemoved(['oncall'], NOW)).toBe(2);
    const why = 'The destination was removed from the configuration.';
    expect(await all()).toEqual([
      'oncall condition-opened pending',
      `gone condition-opened cancelled ${why}`,
      `gone verdict cancelled ${why}`,
    ]);
    expect((await store.destinations.notices()).map(({ destination }) => destination)).toEqual(['oncall']);
  });
});
