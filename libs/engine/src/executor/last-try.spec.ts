import { randomUUID } from 'node:crypto';
import type { Lease } from '@casefile/contracts';
import { aClaimRequest, until } from '@casefile/contracts/testing';
import { testRecord } from '@casefile/store/testing';
import fc from 'fast-check';
import { LastTry } from './stage-executor.js';
import { threeStages } from './testing/three-stages.js';

const MAX_CRASHES = 3;
const LEASE_MS = 6_000;
const onRecord = testRecord();
const leaseOf = (epoch: number): Lease => ({ runId: 'r', unit: '', stage: 'reason', round: 1, epoch });

describe('R14 the last try before quarantine', () => {
  it('is claimed by one unit of the process at a time: a death meanwhile counts for that one alone', async () => {
    let asked = 0;
    let goOn!: () => void;
    const told = new Promise<void>((resolve) => (goOn = resolve));
    let underWay!: () => void;
    const begun = new Promise<void>((resolve) => (underWay = resolve));
    const first = async () => {
      asked += 1;
      underWay();
      await told;
    };
    const { accept, handle, store, passTime } = await threeStages(onRecord(), { runs: { first } });
    const runs: string[] = [];
    for (let i = 0; i < 4; i += 1) {
      const [runId, caseId, alertId] = [randomUUID(), randomUUID(), randomUUID()];
      runs.push(await accept({ runId, caseId, alertId }));
    }
    for (let crashes = 0; crashes < MAX_CRASHES - 1; crashes += 1) {
      for (const runId of runs)
        expect((await store.units.claim(aClaimRequest(runId, { stage: 'first' }))).kind).toBe('claimed');
      await passTime(LEASE_MS + 1);
    }
    const all = Promise.all(runs.map((runId) => handle('first', runId)));
    await begun;
    const states = async () =>
      Promise.all(
        runs.map(async (runId) => {
          const [unit] = (await store.record.getRun(runId))!.units;
          return unit!.status;
        }),
      );
    await until(
      'three units are held',
      async () => (await states()).filter((status) => status === 'due').length >= 3,
    );
    const held = await states();
    expect(held.toSorted()).toEqual(['due', 'due', 'due', 'running']);
    expect(asked).toBe(1);
    const others = runs.filter((_, i) => held[i] === 'due');
    goOn();
    await all;
    // Held units are claimed after their wait, one after the other.
    for (const runId of others) {
      await passTime(1_001);
      await handle('first', runId);
    }
    expect(asked).toBe(4);
    expect((await states()).filter((status) => status === 'running')).toEqual([]);
  });

  it('is begun by one unit at a time', () => {
    const lastTry = new LastTry();
    expect([lastTry.tryBegin(), lastTry.tryBegin()]).toEqual([true, false]);
    const [lost, lease] = [leaseOf(2), leaseOf(3)];
    lastTry.claimed(lease);
    lastTry.ended(lost);
    expect(lastTry.tryBegin()).toBe(false);
    lastTry.ended(lease);
    expect(lastTry.tryBegin()).toBe(true);
    lastTry.claimed(null);
    expect(lastTry.tryBegin()).toBe(true);
  });

  it('only the unit that kills its worker each time is quarantined, whatever is under way at the same time', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 30 }), fc.integer({ min: 0, max: 29 }), (units, killer) => {
        const poison = killer % units;
        const crashes = new Map(Array.from({ length: units }, (_, i) => [i, 0]));
        const quarantined: number[] = [];
        // Each process claims the units that may start. It dies with the poisonous one, and all of them count
        // a crash.
        for (let life = 0; crashes.size > 0 && life < 100; life += 1) {
          const lastTry = new LastTry();
          const begun = [...crashes].filter(([, n]) => n < MAX_CRASHES - 1 || lastTry.tryBegin());
          const dies = begun.some(([i]) => i === poison);
          for (const [i, n] of begun) {
            if (!dies) crashes.delete(i);
            else if (n + 1 < MAX_CRASHES) crashes.set(i, n + 1);
            else {
              crashes.delete(i);
              quarantined.push(i);
            }
          }
        }
        expect([...crashes]).toEqual([]);
        expect(quarantined).toEqual([poison]);
      }),
    );
  });
});
