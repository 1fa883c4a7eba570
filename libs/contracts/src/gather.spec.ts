import fc from 'fast-check';
import { gather } from './gather.js';

const always = (): boolean => true;

/** A flush that ends on request. */
function heldFlush() {
  const batches: { items: number[]; end(): void; fail(error: Error): void }[] = [];
  const flush = (items: number[]): Promise<number[]> =>
    new Promise((resolve, reject) => {
      batches.push({ items, end: () => resolve(items.map((item) => item * 2)), fail: reject });
    });
  return { batches, flush };
}

const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('gather', () => {
  it('flushes what comes in one turn when no flush is under way, and gathers what comes meanwhile', async () => {
    const { batches, flush } = heldFlush();
    const add = gather({ flush, maxItems: 3, splits: always });
    const results = [1, 2].map(add);
    expect(batches).toEqual([]);
    await settle();
    expect(batches.map((batch) => batch.items)).toEqual([[1, 2]]);
    results.push(...[3, 4, 5, 6].map(add));
    await settle();
    expect(batches).toHaveLength(1);
    for (let i = 0; i < 3; i += 1) {
      batches[i]!.end();
      await settle();
    }
    expect(batches.map((batch) => batch.items)).toEqual([[1, 2], [3, 4, 5], [6]]);
    await expect(Promise.all(results)).resolves.toEqual([2, 4, 6, 8, 10, 12]);
  });

  it('tries each item alone when a flush fails, so that one bad item fails by itself', async () => {
    const flush = async (items: number[]): Promise<number[]> => {
      if (items.includes(13)) throw new Error('bad item');
      return items;
    };
    const add = gather({ flush, maxItems: 10, splits: always });
    const results = await Promise.allSettled([1, 12, 13, 14].map(add));
    expect(results.map((result) => result.status)).toEqual([
      'fulfilled',
      'fulfilled',
      'rejected',
      'fulfilled',
    ]);
  });

  it('fails all at once, without trying each, when the reason is not one item', async () => {
    let flushes = 0;
    const flush = async (): Promise<number[]> => {
      flushes += 1;
      throw new Error('not reachable');
    };
    const add = gather<number, number>({ flush, maxItems: 10 });
    const results = await Promise.allSettled([1, 2, 3].map(add));
    expect(results.every((result) => result.status === 'rejected')).toBe(true);
    expect(flushes).toBe(1);
  });

  it('continues after a failure', async () => {
    const { batches, flush } = heldFlush();
    const add = gather({ flush, maxItems: 1, splits: always });
    const first = add(1);
    await settle();
    batches[0]!.fail(new Error('no'));
    await expect(first).rejects.toThrow('no');
    const second = add(2);
    await settle();
    batches[1]!.end();
    await expect(second).resolves.toBe(4);
  });

  it('answers every item with its own result, whatever the sizes and failures', async () => {
    const item = fc.record({ id: fc.nat(), bad: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(
        fc.array(item, { maxLength: 60 }),
        fc.integer({ min: 1, max: 9 }),
        async (items, maxItems) => {
          let underWay = 0;
          const flush = async (batch: typeof items): Promise<number[]> => {
            underWay += 1;
            expect(underWay).toBe(1);
            expect(batch.length).toBeLessThanOrEqual(maxItems);
            await settle();
            underWay -= 1;
            if (batch.some((one) => one.bad)) throw new Error('bad');
            return batch.map((one) => one.id);
          };
          const add = gather({ flush, maxItems, splits: always });
          const results = await Promise.allSettled(items.map(add));
          results.forEach((result, i) => {
            const { id, bad } = items[i]!;
            expect(result).toEqual(
              bad ? expect.objectContaining({ status: 'rejected' }) : { status: 'fulfilled', value: id },
            );
          });
        },
      ),
      { numRuns: 50 },
    );
  });
});
