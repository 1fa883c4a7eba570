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

  it('R5 does not take a lease for lost that is being replaced, and renews the new one', async () => {
    const asked: string[][] = [];
    const renew = async (leases: string[]) => (asked.push(leases), leases.filter((lease) => lease === 'old'));
    const keeper = new LeaseKeeper<string>(renew, 6_000, silentLogger);
    const held = keeper.hold('old');
    await held.replace(async () => {
      await keeper.renewAll();
      return 'new';
    });
    await keeper.renewAll();
    expect([asked, held.signal.aborted]).toEqual([[['old'], ['new']], false]);
    held.end();
  });

  it('R5 still tells of a lost lease when another could not be had in its place', async () => {
    const keeper = new LeaseKeeper<string>(async (leases) => leases, 6_000, silentLogger);
    const held = keeper.hold('old');
    await expect(held.replace(() => Promise.reject(new Error('refused')))).rejects.toThrow('refused');
    await keeper.renewAll();
    expect(held.signal.reason).toMatchObject({ reasonCode: 'stale_lease' });
    held.end();
  });

  it('keeps what it holds when the store does not answer', async () => {
    const keeper = new LeaseKeeper<string>(() => Promise.reject(new Error('down')), 6_000, silentLogger);
    const held = keeper.hold('a');
    await keeper.renewAll();
    expect(held.signal.aborted).toBe(false);
    held.end();
  });

  it('R4 grants a process that renews late longer leases, at most 20 s, and the usual ones when it is on time', async () => {
    let at = 0;
    const granted: number[] = [];
    const renew = async (_leases: string[], leaseMs: number) => (granted.push(leaseMs), []);
    const keeper = new LeaseKeeper<string>(renew, 6_000, silentLogger, () => at);
    const held = keeper.hold('a');
    for (const intervalMs of [2_000, 2_400, 4_000, 90_000, 2_000]) {
      at += intervalMs;
      await keeper.renewAll();
    }
    expect(granted).toEqual([6_000, 6_000, 12_000, 20_000, 6_000]);
    // The store takes whole milliseconds, and the clock has parts of them.
    at += 4_999.7;
    await keeper.renewAll();
    expect(keeper.leaseMs).toBe(15_000);
    held.end();
    expect(keeper.leaseMs).toBe(6_000);
  });

  it('R4 counts the time until the store answers a renewal as late', async () => {
    let at = 0;
    const granted: number[] = [];
    const renew = async (_leases: string[], leaseMs: number) => {
      granted.push(leaseMs);
      at += 3_000;
      return [];
    };
    const keeper = new LeaseKeeper<string>(renew, 6_000, silentLogger, () => at);
    const held = keeper.hold('a');
    for (let i = 0; i < 2; i += 1) {
      at += 2_000;
      await keeper.renewAll();
    }
    expect(granted).toEqual([6_000, 15_000]);
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
