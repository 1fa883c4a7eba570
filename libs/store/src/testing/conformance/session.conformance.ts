import type { UnderTest } from '../store.conformance.js';
import { aVerdict } from './store-bench.js';

export function sessionConformance(at: UnderTest): void {
  describe('engagement sessions', () => {
    const engagement = { stage: 'opened', category: 'kyc_banking', confidence: 0.9, redFlags: ['haste'] };
    const opening = (action: string): ReturnType<typeof aVerdict> => ({
      ...aVerdict(),
      outcome: { action, engagement },
    });

    it('S3-42 engage and probe open one with the verdict, known by its run', async () => {
      const { store, bench } = at();
      for (const action of ['engage', 'probe']) {
        const { runId, caseId } = await bench.accept();
        expect(await store.engagementSession(runId)).toBeNull();
        await bench.decide(runId, { body: opening(action) });
        expect(await store.engagementSession(runId)).toEqual({
          ...{ id: runId, caseId, action, ...engagement },
          createdAt: expect.stringMatching(/^\d{4}-/),
        });
      }
    });

    it('S3-42 ignore opens none, nor does a lane without outward effect, nor a lease that is over', async () => {
      const { store, bench } = at();
      const ignored = await bench.accept();
      await bench.decide(ignored.runId, { body: opening('ignore') });
      const silent = await bench.accept();
      await bench.decide(silent.runId, { body: opening('engage'), deliveryId: null });
      const stale = await bench.accept();
      const { lease } = await bench.claim(stale.runId);
      const artifact = { name: 'verdict' as const, body: opening('engage') };
      const change = { kind: 'decide' as const, artifact, deliveryId: bench.ids.id() };
      const old = { ...lease, epoch: lease.epoch - 1 };
      expect(await store.commit(bench.commitRequest(old, change))).toEqual({ kind: 'stale' });
      for (const { runId } of [ignored, silent, stale])
        expect(await store.engagementSession(runId)).toBeNull();
      expect(await store.engagementSession('no id')).toBeNull();
    });
  });
}
