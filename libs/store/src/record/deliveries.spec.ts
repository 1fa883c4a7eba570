import { testRecord } from '../testing/test-record.js';

const at = testRecord();

describe('deliveries', () => {
  it('wait until they are marked, oldest first, and not before their time', async () => {
    const { bench, store, passTime } = at();
    const [first, second] = [await bench.accept(), await bench.accept()];
    await bench.decide(first.runId, { deliveryId: 'd1' });
    await passTime(3_600_000);
    await bench.decide(second.runId, { deliveryId: 'd2' });
    expect(
      (await store.deliveries.pending(10, 0, ['scam-verdict'])).map((entry) => entry.deliveryId),
    ).toEqual(['d1', 'd2']);
    expect(
      (await store.deliveries.pending(10, 1_800_000, ['scam-verdict'])).map((entry) => entry.deliveryId),
    ).toEqual(['d1']);
    expect(await store.deliveries.of(second.runId)).toMatchObject({
      deliveryId: 'd2',
      caseId: second.caseId,
      runId: second.runId,
      playbook: 'scam-verdict',
      lane: 'live',
      verdict: { disposition: 'act' },
    });
    await store.deliveries.markDelivered(['d1', 'unknown']);
    await store.deliveries.markDelivered(['d1']);
    expect(
      (await store.deliveries.pending(10, 0, ['scam-verdict'])).map((entry) => entry.deliveryId),
    ).toEqual(['d2']);
    expect(await store.deliveries.of('x')).toBeNull();
  });
});
