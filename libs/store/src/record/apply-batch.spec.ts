import type { NewReviewAct } from '@casefile/contracts';
import { until } from '@casefile/contracts/testing';
import { batchBench } from '../testing/batch-bench.js';
import { aVerdict } from '../testing/store-bench.js';
import { testRecord } from '../testing/test-record.js';

const at = testRecord();
const { decided, aBatch, judge, compare, apply } = batchBench(at);

const KINDS = ['scam-verdict'];
const NOW = Date.parse('2026-01-05T12:00:00.000Z');
const DUE = NOW + 10_000;

const act = (caseId: string, over: Partial<NewReviewAct> = {}): NewReviewAct => {
  const { ids } = at().bench;
  return {
    actId: ids.id(),
    act: 'correct',
    caseId,
    by: 'ann',
    note: null,
    outcome: { action: 'low' },
    part: null,
    assignee: null,
    until: null,
    bulk: false,
    event: null,
    verdict: aVerdict('low') as never,
    ids: { label: ids.id(), delivery: ids.id() },
    now: NOW,
    sendAt: DUE,
    ...over,
  };
};
const agreement = { act: 'agree', outcome: { action: 'x' }, verdict: null } as const;
const settledOnly = { outcome: null, verdict: null };
const shownRun = async (caseId: string) => (await at().store.record.getCase(caseId))!.leadingRunId;
const reviewOf = async (caseId: string) => (await at().store.reviews.get(caseId, NOW))!;
/** Returns the actions of the verdicts that are waiting to be delivered, and marks them as delivered. */
const delivered = async () => {
  const { deliveries } = at().store;
  const pending = await deliveries.pending(100, 0, KINDS);
  await deliveries.markDelivered(pending.map(({ deliveryId }) => deliveryId));
  return pending.map(({ caseId, verdict }) => [caseId, (verdict['outcome'] as { action: string }).action]);
};
const corrections = async () => {
  const { reviews } = at().store;
  const taken = await reviews.takeCorrections(DUE, 100, KINDS);
  await reviews.markCorrectionsSent(
    taken.map(({ deliveryId }) => deliveryId),
    DUE,
  );
  return taken.map(({ caseId, verdict }) => [caseId, (verdict['outcome'] as { action: string }).action]);
};
const applied = async (id: string) => {
  await at().store.batches.act(id, 'apply');
  await apply(id, 100);
  return at().store.batches.get(id);
};

describe('a batch that is applied', () => {
  it('S4-62 S4-59 leaves each case that a person decided as it is, whatever the new verdict is', async () => {
    const { bench, store } = at();
    const [corrected, agreed, disputed, acknowledged, skipped, free] = (await decided(
      bench,
      Array.from({ length: 6 }, () => 'x'),
    )) as [string, string, string, string, string, string];
    await delivered();
    const runs = await Promise.all([corrected, agreed, disputed].map(shownRun));
    await store.reviews.act(act(corrected));
    await store.reviews.act(act(agreed, agreement));
    await store.reviews.act(act(disputed));
    await store.reviews.act(act(disputed, { by: 'ben', outcome: { action: 'high' } }));
    await store.reviews.act(act(acknowledged, { act: 'acknowledge', ...settledOnly }));
    await store.reviews.act(act(skipped, { act: 'skip', ...settledOnly }));
    expect(await corrections()).toHaveLength(2);
    const id = await aBatch({ filter: {} });
    // The verdict of the agreed case is the same, the others differ.
    await judge(id, ['y', 'x', 'y', 'y', 'y', 'y']);
    expect(await store.batches.get(id)).toMatchObject({ state: 'done', decidedByPerson: 3 });
    const marked = async () =>
      (await store.batches.members(id, 10, 0)).members.filter(({ decidedByPerson }) => decidedByPerson);
    expect((await marked()).map(({ caseId }) => caseId).sort()).toEqual([corrected, agreed, disputed].sort());
    const result = { state: 'applied', decidedByPerson: 3, applied: 3, sent: 3, unchanged: 0, overtaken: 0 };
    expect(await applied(id)).toMatchObject(result);
    expect((await marked()).map(({ state }) => state)).toEqual(['by_person', 'by_person', 'by_person']);
    expect(await Promise.all([corrected, agreed, disputed].map(shownRun))).toEqual(runs);
    expect(await reviewOf(corrected)).toMatchObject({
      state: 'answered',
      standing: { outcome: { action: 'low' } },
    });
    expect([(await reviewOf(agreed)).state, (await reviewOf(disputed)).state]).toEqual([
      'answered',
      'disputed',
    ]);
    expect((await delivered()).sort()).toEqual(
      [acknowledged, skipped, free].map((caseId) => [caseId, 'y']).sort(),
    );
    expect(await corrections()).toEqual([]);
  });

  it('S4-62 delivers nothing for a verdict that is the same, and changes nothing of its case', async () => {
    const { bench, store } = at();
    const [same, changed] = (await decided(bench, ['x', 'x'])) as [string, string];
    await store.reviews.act(act(same, { act: 'acknowledge', ...settledOnly }));
    await delivered();
    const before = await shownRun(same);
    for (const [action, result] of [
      ['y', { applied: 1, sent: 1, unchanged: 1 }],
      ['y', { applied: 0, sent: 0, unchanged: 2 }],
    ] as const) {
      const id = await aBatch({ filter: {} });
      await judge(id, ['x', action]);
      expect(await applied(id)).toMatchObject({ state: 'applied', ...result });
      expect(await delivered()).toEqual(result.sent === 0 ? [] : [[changed, 'y']]);
    }
    expect([await shownRun(same), (await reviewOf(same)).state]).toEqual([before, 'acknowledged']);
    expect((await bench.eventTypes()).filter((type) => type === 'verdict.applied')).toHaveLength(1);
  });

  it('S4-62 S4-59 applies the chosen cases only, as its preview says, and names a case that is not in it', async () => {
    const { bench, store } = at();
    const { batches } = store;
    const actions = Array.from({ length: 6 }, () => 'x');
    const [answered, same, first, second, third, left] = (await decided(bench, actions)) as [
      string,
      string,
      string,
      string,
      string,
      string,
    ];
    await delivered();
    await store.reviews.act(act(answered));
    await corrections();
    const id = await aBatch({ filter: {} });
    await judge(id, ['y', 'x', 'y', 'y', 'y', 'y']);
    const choice = { exceptCaseIds: [left] };
    const pages = await Promise.all([batches.preview(id, choice, -1, 3), batches.preview(id, choice, 2, 9)]);
    expect(pages.map((page) => page.length)).toEqual([3, 2]);
    const preview = pages.flat().map(({ result, sends }) => [result, sends]);
    expect(preview).toEqual([
      ['by_person', false],
      ['unchanged', false],
      ['applied', true],
      ['applied', true],
      ['applied', true],
    ]);
    const only = await batches.preview(id, { caseIds: [first, third] }, -1, 9);
    expect(only.map(({ position }) => position)).toEqual([2, 4]);
    const stranger = bench.ids.id();
    for (const [field, ids] of [
      ['caseIds', [first, stranger]],
      ['exceptCaseIds', [left, stranger]],
    ] as const)
      await expect(batches.act(id, 'apply', { choice: { [field]: [...ids] } })).rejects.toMatchObject({
        problems: [{ path: `${field}[1]`, message: 'expected a case with a new verdict in this batch' }],
      });
    expect(await batches.get(id)).toMatchObject({ state: 'done', leftOut: 0 });
    const leftRun = await shownRun(left);
    await batches.act(id, 'apply', { choice });
    await apply(id, 100);
    const counts = { applied: 3, sent: 3, decidedByPerson: 1, unchanged: 1, leftOut: 1 };
    expect(await batches.get(id)).toMatchObject({ state: 'applied', ...counts });
    expect((await delivered()).map(([caseId]) => caseId).sort()).toEqual([first, second, third].sort());
    expect([await shownRun(left), await reviewOf(same)]).toEqual([leftRun, expect.anything()]);
  });

  it('S4-62 is done when every new verdict is compared with the earlier one', async () => {
    const { bench, store } = at();
    await decided(bench, ['x', 'x']);
    const id = await aBatch({ filter: {} });
    await judge(id, ['y', 'x'], { compared: false });
    expect(await store.batches.get(id)).toMatchObject({ state: 'running', done: 2 });
    await compare(id);
    expect(await store.batches.get(id)).toMatchObject({ state: 'done' });
    const { members } = await store.batches.members(id, 9, 0);
    expect(members.map(({ change }) => change)).toEqual(['message', 'none']);
  });

  it('S4-62 shows the same verdict on a better basis without delivering it again, and delivers its correction', async () => {
    const { bench, store } = at();
    const degraded = (action?: string) => ({ ...aVerdict(action), degraded: true });
    const [caseId] = (await decided(bench, ['x'], degraded)) as [string];
    await delivered();
    const since = '2020-01-01T00:00:00Z';
    expect(await store.batches.degradedSince(since)).toBe(1);
    const id = await aBatch({ degradedSince: since });
    await judge(id, ['x']);
    expect(await applied(id)).toMatchObject({ state: 'applied', applied: 1, sent: 0 });
    expect(await store.batches.degradedSince(since)).toBe(0);
    expect(await delivered()).toEqual([]);
    await store.reviews.act(act(caseId));
    expect(await corrections()).toEqual([[caseId, 'low']]);
  });

  it('S4-62 S4-59 does not count as degraded what a person answered', async () => {
    const { bench, store } = at();
    const degraded = (action?: string) => ({ ...aVerdict(action), degraded: true });
    const [answered, open] = (await decided(bench, ['x', 'x'], degraded)) as [string, string];
    await store.reviews.act(act(answered));
    const degradedSince = '2020-01-01T00:00:00Z';
    expect(await store.batches.degradedSince(degradedSince)).toBe(1);
    const { members } = await store.batches.pick({ degradedSince });
    expect(members.map(({ caseId }) => caseId)).toEqual([open]);
  });

  it('S4-62 S4-59 applies a verdict whose correction was withdrawn, and its message is the last one', async () => {
    const { bench, store } = at();
    const [inTime, late] = (await decided(bench, ['x', 'x'])) as [string, string];
    await delivered();
    await store.reviews.act(act(late));
    expect(await corrections()).toEqual([[late, 'low']]);
    await store.reviews.act(act(inTime));
    for (const caseId of [inTime, late])
      await store.reviews.act(act(caseId, { act: 'undo', outcome: null, verdict: null }));
    const id = await aBatch({ filter: {} });
    await judge(id, ['y', 'y']);
    expect(await applied(id)).toMatchObject({ state: 'applied', applied: 2, sent: 2, decidedByPerson: 0 });
    expect((await delivered()).sort()).toEqual(
      [
        [inTime, 'y'],
        [late, 'y'],
      ].sort(),
    );
    // The message that restores the earlier verdict must not come after the new one.
    expect(await corrections()).toEqual([]);
  });

  it('S4-62 waits for a correction that is being sent', async () => {
    const { bench, store } = at();
    const [caseId] = (await decided(bench, ['x'])) as [string];
    await delivered();
    await store.reviews.act(act(caseId));
    const [taken] = await store.reviews.takeCorrections(DUE, 1, KINDS);
    await store.reviews.act(act(caseId, { act: 'undo', outcome: null, verdict: null }));
    const id = await aBatch({ filter: {} });
    await judge(id, ['y']);
    expect(await applied(id)).toMatchObject({ state: 'applying', applied: 0 });
    await store.reviews.markCorrectionsSent([taken!.deliveryId], DUE);
    await apply(id, 100);
    expect(await store.batches.get(id)).toMatchObject({ state: 'applied', applied: 1, sent: 1 });
    expect([await delivered(), await corrections()]).toEqual([[[caseId, 'y']], []]);
  });

  it('S4-62 does not deliver verdicts of a data set, whose earlier verdicts were not delivered either', async () => {
    const { bench, store } = at();
    const { runId } = await bench.accept({ dataset: 'set' });
    await bench.decide(runId, { body: aVerdict('x'), deliveryId: null });
    const id = await aBatch({ dataset: 'set' });
    await judge(id, ['y']);
    expect(await applied(id)).toMatchObject({ state: 'applied', applied: 1, sent: 0 });
    expect(await store.deliveries.pending(10, 0, KINDS)).toEqual([]);
  });

  it('S4-62 S4-59 sees an answer that was being recorded when it began', async () => {
    const { bench, store, other } = at();
    const [caseId] = (await decided(bench, ['x'])) as [string];
    await delivered();
    const before = await shownRun(caseId);
    const id = await aBatch({ filter: {} });
    await judge(id, ['y']);
    await store.batches.act(id, 'apply');
    const waits = async () =>
      (
        await store.database.rows<{ n: number }>(
          `select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        )
      )[0]!.n > 0;
    const client = await other.database.connect();
    await client.query('begin');
    await client.query('select from cases where id = $1 for no key update', [caseId]);
    const applying = apply(id, 100);
    await until('the batch waits for the case', waits);
    await client.query(`insert into reviews (case_id, run_id, state) values ($1, $2, 'answered')`, [
      caseId,
      before,
    ]);
    await client.query('commit');
    client.release();
    await applying;
    expect(await store.batches.get(id)).toMatchObject({ state: 'applied', decidedByPerson: 1, applied: 0 });
    expect([await shownRun(caseId), await delivered()]).toEqual([before, []]);
  });

  it('S4-62 S4-59 and an answer at the same time never both take effect', async () => {
    const { bench, store, other } = at();
    const ids = await decided(
      bench,
      Array.from({ length: 12 }, () => 'x'),
    );
    await delivered();
    const runs = await Promise.all(ids.map(shownRun));
    const id = await aBatch({ filter: {} });
    await judge(
      id,
      ids.map(() => 'y'),
    );
    await store.batches.act(id, 'apply');
    // The person answers the verdict that the page showed.
    const answers = ids.map((caseId, i) =>
      other.reviews.act(act(caseId, { runId: runs[i]! })).then(
        () => true,
        () => false,
      ),
    );
    const [taken] = await Promise.all([Promise.all(answers), apply(id, 4), apply(id, 8)]);
    await apply(id, 100);
    const kept = await Promise.all(ids.map(async (caseId, i) => (await shownRun(caseId)) === runs[i]));
    expect(kept).toEqual(taken);
    const count = taken.filter(Boolean).length;
    expect(await store.batches.get(id)).toMatchObject({
      state: 'applied',
      decidedByPerson: count,
      applied: ids.length - count,
    });
    expect(await delivered()).toHaveLength(ids.length - count);
    expect(await corrections()).toHaveLength(count);
  });
});
