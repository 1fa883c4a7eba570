import { silentLogger } from '@casefile/contracts';
import { LeaseKeeper } from './lease-keeper.js';

describe('LeaseKeeper', () => {
  it('R5 tells the holder of a lost lease to stop, and only that one', async () => {
    const keeper = new LeaseKeeper<string>(
      async (leases) => leases.filter((lease) => lease === 'lost'),
      6_000,
      silentLogger,
    );
    const kept = keeper.hold('kept');
    const lost = keeper.hold('lost');
    await keeper.renewAll();
    expect([kept.signal.aborted, lost.signal.aborted]).toEqual([false, true]);
    expect(lost.signal.reason).toMatchObject({ reasonCode: 'stale_lease' });
    kept.end();
    lost.end();
    expect(keeper.size).toBe(0);
  });

  it('keeps what it holds when the store does not answer', async () => {
    const keeper = new LeaseKeeper<string>(() => Promise.reject(new Error('down')), 6_000, silentLogger);
    const held = keeper.hold('a');
    await keeper.renewAll();
    expect(held.signal.aborted).toBe(false);
    held.end();
  });

  it('tells everybody to stop when the process does', () => {
    const keeper = new LeaseKeeper<string>(async () => [], 6_000, silentLogger);
    const held = keeper.hold('a');
    keeper.stopAll();
    expect(held.signal.reason).toMatchObject({ reasonCode: 'stopping' });
    held.end();
  });
});
