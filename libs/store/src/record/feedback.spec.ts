import type { Feedback } from '@casefile/contracts';
import { testRecord } from '../testing/test-record.js';
import { aVerdict, type StoreBench } from '../testing/store-bench.js';

const at = testRecord();

async function decided(bench: StoreBench): Promise<{ caseId: string; runId: string }> {
  const { caseId, runId } = await bench.accept();
  await bench.decide(runId, { body: aVerdict('block') });
  return { caseId, runId };
}

const said = (bench: StoreBench, of: { caseId: string; runId: string }, over: Partial<Feedback> = {}) => ({
  ...of,
  id: bench.ids.id(),
  agrees: false,
  outcome: { action: 'warn' },
  by: 'ann',
  note: 'it "was"\nnothing',
  at: '2026-01-05T10:00:00.000Z',
  ...over,
});

const page = (caseId: string, cursor?: string, limit = 50) =>
  at().store.feedback.find({ caseId, limit, ...(cursor === undefined ? {} : { cursor }) });

describe('what people say of verdicts', () => {
  it('S4-59 comes in pages', async () => {
    const { bench, store } = at();
    const one = await decided(bench);
    for (let i = 0; i < 5; i += 1) await store.feedback.give(said(bench, one, { by: `p${i}` }));
    const names: string[] = [];
    for (let cursor: string | null | undefined; cursor !== null;) {
      const found: Awaited<ReturnType<typeof page>> = await page(one.caseId, cursor, 2);
      names.push(...(found?.feedback ?? []).map(({ by }) => by));
      cursor = found?.nextCursor ?? null;
    }
    expect(names.sort()).toEqual(['p0', 'p1', 'p2', 'p3', 'p4']);
    await expect(page(one.caseId, 'x')).rejects.toMatchObject({ reasonCode: 'invalid_input' });
  });

  it('S4-59 is bounded: ten of a case within a minute, and no more when they come at once', async () => {
    const { bench, store } = at();
    const one = await decided(bench);
    const sent = Array.from({ length: 15 }, (_, i) => store.feedback.give(said(bench, one, { by: `p${i}` })));
    const refused = (await Promise.allSettled(sent)).filter(({ status }) => status === 'rejected');
    expect(refused).toHaveLength(5);
    await expect(store.feedback.give(said(bench, one))).rejects.toMatchObject({
      reasonCode: 'too_many',
      retryAfterMs: 60_000,
    });
    const other = await decided(bench);
    await store.feedback.give(said(bench, other));
    const [again] = (await page(one.caseId))?.feedback ?? [];
    if (again !== undefined) await store.feedback.give(again);
    expect((await page(one.caseId))?.feedback).toHaveLength(10);
  });

  it('U9 one person has one label per run: a second replaces the first, and the events keep both', async () => {
    const { bench, store } = at();
    const one = await decided(bench);
    const first = said(bench, one);
    const second = said(bench, one, { outcome: { action: 'block' }, at: '2026-01-04T10:00:00.000Z' });
    const other = said(bench, one, { by: 'bob', note: null });
    for (const feedback of [first, other, second]) await store.feedback.give(feedback);
    expect((await page(one.caseId))?.feedback).toEqual([other, second]);
    const events = (await bench.events()).filter(({ type }) => type === 'feedback.given');
    expect(events.map(({ data }) => [data['id'], data['replaces'], data['note']])).toEqual([
      [first.id, null, first.note],
      [other.id, null, null],
      [second.id, first.id, second.note],
    ]);
  });

  it('U9 replacing a label counts as often as a new one', async () => {
    const { bench, store } = at();
    const one = await decided(bench);
    for (let i = 0; i < 10; i += 1) await store.feedback.give(said(bench, one));
    await expect(store.feedback.give(said(bench, one))).rejects.toMatchObject({ reasonCode: 'too_many' });
    expect((await page(one.caseId))?.feedback).toHaveLength(1);
  });

  it('U9 a label can be withdrawn once, and the events keep it', async () => {
    const { bench, store } = at();
    const one = await decided(bench);
    const label = said(bench, one);
    await store.feedback.give(label);
    const elsewhere = await decided(bench);
    expect(await store.feedback.withdraw(elsewhere.caseId, label.id)).toBeNull();
    expect(await store.feedback.withdraw('no-uuid', label.id)).toBeNull();
    expect(await store.feedback.withdraw(one.caseId, label.id)).toEqual(label);
    expect(await store.feedback.withdraw(one.caseId, label.id)).toBeNull();
    expect((await page(one.caseId))?.feedback).toEqual([]);
    const events = (await bench.events()).filter(({ type }) => type === 'feedback.withdrawn');
    expect(events).toMatchObject([{ ...one, data: { id: label.id, by: 'ann', outcome: label.outcome } }]);
  });

  it('S4-59 is kept as it was said, the newest first', async () => {
    const { bench, store } = at();
    const one = await decided(bench);
    const first = said(bench, one);
    const second = said(bench, one, { by: 'bob', note: null, at: '2026-01-06T10:00:00.000Z' });
    const late = said(bench, one, { by: 'eve', agrees: true, outcome: {}, at: '2026-01-04T10:00:00.000Z' });
    for (const feedback of [first, second, late]) await store.feedback.give(feedback);
    expect(await page(one.caseId)).toEqual({ feedback: [second, first, late], nextCursor: null });
    const other = await decided(bench);
    expect(await page(other.caseId)).toEqual({ feedback: [], nextCursor: null });
    expect(await page(bench.ids.id())).toBeNull();
    expect(await page('no-uuid')).toBeNull();
  });

  it('S4-59 is written down once under its id, and told once', async () => {
    const { bench, store } = at();
    const one = await decided(bench);
    const feedback = said(bench, one);
    await store.feedback.give(feedback);
    await store.feedback.give({ ...feedback, by: 'somebody else' });
    expect((await page(one.caseId))?.feedback).toEqual([feedback]);
    const events = (await bench.events()).filter(({ type }) => type === 'feedback.given');
    expect(events).toMatchObject([
      { ...one, data: { agrees: false, outcome: { action: 'warn' }, by: 'ann' } },
    ]);
  });

  it('S4-59 leaves the verdict and the case as they are', async () => {
    const { bench, store } = at();
    const one = await decided(bench);
    const before = await store.record.getCase(one.caseId);
    await store.feedback.give(said(bench, one));
    expect({ ...(await store.record.getCase(one.caseId)), runs: [] }).toEqual({ ...before, runs: [] });
    expect(await store.deliveries.of(one.runId)).toMatchObject({ runId: one.runId });
  });
});
