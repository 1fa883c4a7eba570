export interface GatherOptions<I, O> {
  /** Does the work for many items at once; one result an item, in their order, or the promise of one. */
  flush(items: I[]): Promise<readonly (O | PromiseLike<O>)[]>;
  /** Items a flush, at most. */
  maxItems: number;
  /** Flushes under way at once. */
  maxFlushes: number;
  /** After a failed flush: may each item be tried alone? false: all of them fail with the error. */
  splits(error: unknown): boolean;
}

interface Waiting<I, O> {
  item: I;
  resolve(result: O | PromiseLike<O>): void;
  reject(error: unknown): void;
}

/**
 * Gathers calls into flushes without a timer: a call is flushed at once when a flush is free, else with
 * whatever else comes meanwhile. When a flush fails for a reason that one item may have, each is tried alone,
 * so that one bad item fails by itself.
 */
export function gather<I, O>(options: GatherOptions<I, O>): (item: I) => Promise<O> {
  const waiting: Waiting<I, O>[] = [];
  let underWay = 0;

  const run = async (batch: Waiting<I, O>[]): Promise<void> => {
    try {
      const results = await options.flush(batch.map((entry) => entry.item));
      batch.forEach((entry, index) => entry.resolve(results[index]!));
    } catch (error) {
      if (batch.length === 1 || !options.splits(error)) batch.forEach((entry) => entry.reject(error));
      else for (const entry of batch) await run([entry]);
    }
  };

  const pump = (): void => {
    while (underWay < options.maxFlushes && waiting.length > 0) {
      underWay += 1;
      void run(waiting.splice(0, options.maxItems)).finally(() => {
        underWay -= 1;
        pump();
      });
    }
  };

  return (item) =>
    new Promise<O>((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      pump();
    });
}
