import fc from 'fast-check';
import { Turns } from './job-slots.js';

describe('Turns', () => {
  it('never runs more at once than it may, runs each once, and begins them in their order', async () => {
    const cases = fc.record({
      limit: fc.integer({ min: 1, max: 4 }),
      works: fc.array(fc.record({ steps: fc.nat({ max: 5 }), fails: fc.boolean() }), { maxLength: 20 }),
    });
    await fc.assert(
      fc.asyncProperty(cases, async ({ limit, works }) => {
        const turns = new Turns(limit);
        const begun: number[] = [];
        let running = 0;
        let most = 0;
        const ends = works.map(({ steps, fails }, i) =>
          turns.run(async () => {
            begun.push(i);
            most = Math.max(most, (running += 1));
            for (let step = 0; step < steps; step += 1) await Promise.resolve();
            running -= 1;
            if (fails) throw new Error('no');
            return i;
          }),
        );
        expect(turns.inHand).toBe(works.length);
        const results = await Promise.allSettled(ends);
        expect(results.map(({ status }) => status === 'rejected')).toEqual(works.map(({ fails }) => fails));
        expect([most <= limit, turns.inHand]).toEqual([true, 0]);
        expect(begun).toEqual(works.map((_work, i) => i));
      }),
    );
  });
});
