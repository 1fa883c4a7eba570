import { testRecord } from '../testing/test-record.js';
import { advanceTo } from '../testing/store-bench.js';

const LEASE_MS = 6_000;

const at = testRecord();

describe('a commit that claims the next stage', () => {
  it('R3 writes an intent with the commit that claims its stage, whatever was written before in the same flush', async () => {
    const { bench, store } = at();
    const [first, other] = [await bench.accept(), await bench.accept()];
    const { lease } = await bench.claim(first.runId);
    const { lease: others } = await bench.claim(other.runId);
    const change = advanceTo('collect');
    const written = await Promise.all([
      // Sent immediately, so that the others are sent together.
      store.deliveries.markDelivered([]),
      store.interactions.intend(bench.intent(others)),
      store.units.commit({ ...bench.commitRequest(lease, change), claimForMs: LEASE_MS }),
      store.interactions.intend(bench.intent({ ...lease, stage: 'collect', epoch: lease.epoch + 1 })),
    ]);
    expect(written).toMatchObject([undefined, true, { kind: 'committed' }, true]);
    const [run] = (await store.record.getCase(first.caseId))!.runs;
    expect(run).toMatchObject({ interactions: [{ stage: 'collect' }], units: [{ status: 'running' }] });
  });

  it('R5 refuses an intent with a commit whose lease was lost', async () => {
    const { bench, store } = at();
    const { runId } = await bench.accept();
    const { lease } = await bench.claim(runId);
    await store.units.release(lease);
    const work = await bench.claim(runId);
    const next = { ...lease, stage: 'collect', epoch: lease.epoch + 1 };
    const written = await Promise.all([
      store.units.commit({ ...bench.commitRequest(lease, advanceTo('collect')), claimForMs: LEASE_MS }),
      store.interactions.intend(bench.intent(next)),
    ]);
    expect(written).toEqual([{ kind: 'stale' }, false]);
    expect(await store.units.renew([work.lease], LEASE_MS)).toEqual([]);
  });
});
