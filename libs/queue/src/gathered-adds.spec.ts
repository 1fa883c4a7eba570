import { setImmediate as nextTurn } from 'node:timers/promises';
import fc from 'fast-check';
import { gatherAdds } from './bull-queue.js';
import { aGate } from './testing/queue-harness.js';

describe('gathering', () => {
  it('sends together what comes within one turn, and then what comes until that is over', async () => {
    const sent: number[][] = [];
    const gate = aGate();
    const add = gatherAdds<number>(async (items) => {
      sent.push(items);
      await gate.passed;
    }, 100);
    const calls = [add([1]), add([2])];
    while (sent.length === 0) await nextTurn();
    calls.push(add([3, 4]), add([5]));
    gate.open();
    await Promise.all(calls);
    expect(sent).toEqual([
      [1, 2],
      [3, 4, 5],
    ]);
  });

  it('fails the calls that were in a failed sending, and no other', async () => {
    const gate = aGate();
    let sendings = 0;
    const add = gatherAdds<number>(async () => {
      sendings += 1;
      if (sendings === 1) return gate.passed;
      if (sendings === 2) throw new Error('away');
    }, 2);
    const calls = [add([1])];
    while (sendings === 0) await nextTurn();
    calls.push(add([2]), add([3]), add([4]));
    gate.open();
    const ends = await Promise.allSettled(calls);
    expect(ends.map((end) => end.status)).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled']);
    await expect(add([])).resolves.toBeUndefined();
  });

  it('sends each item once, in order, and never more than it may unless one call has more', async () => {
    const calls = fc.array(fc.array(fc.integer(), { minLength: 1, maxLength: 8 }), { maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(calls, async (lists) => {
        const sent: number[][] = [];
        const add = gatherAdds<number>(async (items) => {
          sent.push(items);
          await Promise.resolve();
        }, 5);
        await Promise.all(lists.map((list) => add(list)));
        expect(sent.flat()).toEqual(lists.flat());
        for (const part of sent)
          expect(part.length <= 5 || lists.some((list) => list.length === part.length)).toBe(true);
      }),
    );
  });
});
