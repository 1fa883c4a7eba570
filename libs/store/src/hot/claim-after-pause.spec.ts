import { moves, type Lease } from '@casefile/contracts';
import { testRecord } from '../testing/test-record.js';

const HOUR_MS = 3_600_000;
/** Whole hours, which are longer than any time that passes during a test on a slow machine. */
const hours = ({ pausedMs }: { pausedMs: number }): number => Math.floor(pausedMs / HOUR_MS);

const at = testRecord();

describe('time without a holder', () => {
  it('E-13 tells how long a step has been without a worker, from when a holder that died was last heard of', async () => {
    const { bench, store, passTime } = at();
    const { runId } = await bench.accept();
    await passTime(7 * HOUR_MS);
    const leaseMs = 4 * HOUR_MS;
    const { lease, pausedMs } = await bench.claim(runId, { leaseMs });
    expect(pausedMs).toBe(0);
    await passTime(2 * HOUR_MS);
    expect(await store.units.renew([lease], leaseMs)).toEqual([]);
    await passTime(9 * HOUR_MS);
    expect(hours(await bench.claim(runId, { leaseMs }))).toBe(9);
    await passTime(5 * HOUR_MS);
    const third = await bench.claim(runId, { leaseMs });
    expect(hours(third)).toBe(14);
    await bench.advance(third.lease, 'collect');
    expect((await bench.claim(runId, { stage: 'collect' })).pausedMs).toBe(0);
  });

  it('E-13 counts the time after a unit was given back or failed, and no wait that it asked for', async () => {
    const { bench, store, passTime } = at();
    const { runId } = await bench.accept();
    await store.units.release((await bench.claim(runId)).lease);
    await passTime(3 * HOUR_MS);
    const second = await bench.claim(runId);
    expect(hours(second)).toBe(3);
    const failure = { reasonCode: 'unexpected', message: 'x', retryInMs: 1_000 };
    await bench.commit(second.lease, (at: Lease) => moves.failStep(at, { ...failure }));
    await passTime(4 * HOUR_MS);
    const third = await bench.claim(runId);
    expect(hours(third)).toBe(7);
    const [call] = await bench.suspend(third.lease, ['rdap'], { timeoutMs: 9 * HOUR_MS });
    await passTime(5 * HOUR_MS);
    await bench.settle(call!);
    const fourth = await bench.claim(runId);
    expect(fourth.pausedMs).toBe(third.pausedMs);
    await bench.commit(fourth.lease, (at: Lease) =>
      moves.postponeStep(at, { delayMs: 1_000, reasonCode: 'rate_limited' }),
    );
    await passTime(5 * HOUR_MS);
    expect((await bench.claim(runId)).pausedMs).toBe(third.pausedMs);
  });
});
