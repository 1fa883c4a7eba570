import type { Feedback } from '@casefile/contracts';
import type { UnderTest } from '../store.conformance.js';
import { aVerdict, type StoreBench } from './store-bench.js';

export function feedbackConformance(at: UnderTest): void {
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

  describe('what people say of verdicts', () => {
    it('S4-59 is kept as it was said, with all that was said before, the newest first', async () => {
      const { bench, store } = at();
      const one = await decided(bench);
      const first = said(bench, one);
      const second = said(bench, one, { by: 'bob', note: null, at: '2026-01-06T10:00:00.000Z' });
      const late = said(bench, one, { agrees: true, outcome: {}, at: '2026-01-04T10:00:00.000Z' });
      for (const feedback of [first, second, late]) await store.feedback.give(feedback);
      expect(await store.feedback.of(one.caseId)).toEqual([second, first, late]);
      expect(await store.feedback.of(bench.ids.id())).toEqual([]);
      expect(await store.feedback.of('no-uuid')).toEqual([]);
    });

    it('S4-59 is written down once under its id, and told once', async () => {
      const { bench, store } = at();
      const one = await decided(bench);
      const feedback = said(bench, one);
      await store.feedback.give(feedback);
      await store.feedback.give({ ...feedback, by: 'somebody else' });
      expect(await store.feedback.of(one.caseId)).toEqual([feedback]);
      const told = (await bench.events()).filter(({ type }) => type === 'feedback.given');
      expect(told).toMatchObject([
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
}
