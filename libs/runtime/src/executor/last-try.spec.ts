import type { ClaimedWork } from '@casefile/contracts';
import fc from 'fast-check';
import { LastTry } from './stage-executor.js';

const at = (runId: string, crashes: number) =>
  ({ crashes, lease: { runId, unit: '', stage: 'reason', round: 1, epoch: crashes + 1 } }) as ClaimedWork;

describe('R14 the last try before quarantine', () => {
  it('lets one unit at a time begin it, others freely', () => {
    const lastTry = new LastTry(3);
    expect([at('a', 2), at('b', 2), at('c', 1), at('d', 0)].map((work) => lastTry.mayBegin(work))).toEqual([
      true,
      false,
      true,
      true,
    ]);
    lastTry.ended(at('c', 1));
    expect(lastTry.mayBegin(at('b', 2))).toBe(false);
    lastTry.ended(at('a', 2));
    expect(lastTry.mayBegin(at('b', 2))).toBe(true);
  });

  it('does not serialise first tries where one crash is enough', () => {
    const lastTry = new LastTry(1);
    expect([lastTry.mayBegin(at('a', 0)), lastTry.mayBegin(at('b', 0))]).toEqual([true, true]);
  });

  it('whoever kills its worker each time is alone quarantined, whatever is under way beside it', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 30 }), fc.integer({ min: 0, max: 29 }), (units, killer) => {
        const poison = killer % units;
        const crashes = new Map(Array.from({ length: units }, (_, i) => [i, 0]));
        const quarantined: number[] = [];
        // Each life of the process takes what may begin; with the poisonous one under way it dies, and all of them crash.
        for (let life = 0; crashes.size > 0 && life < 100; life += 1) {
          const lastTry = new LastTry(3);
          const begun = [...crashes].filter(([i, n]) => lastTry.mayBegin(at(String(i), n)));
          const dies = begun.some(([i]) => i === poison);
          for (const [i, n] of begun) {
            if (!dies) crashes.delete(i);
            else if (n + 1 < 3) crashes.set(i, n + 1);
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
