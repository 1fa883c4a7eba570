export interface GatherOptions<I, O> {
  /** Does the work for many items at once; one result an item, in their order, or the promise of one. */
  flush(items: I[]): Promise<readonly (O | PromiseLike<O>)[]>;
  /** Items a flush, at most. */
  maxItems: number;
  /** After a failed flush: may each item be tried alone? Left out or false: all of them fail with the error. */
  splits?(error: unknown): boolean;
}

interface Waiting<I, O> {
  item: I;
  resolve(result: O | PromiseLike<O>): void;
  reject(error: unknown): void;
}

/**
 * Gathers calls into flushes, one at a time and without a timer: when none is under way, what comes within one turn of the event loop
 * is flushed together (answers and jobs arrive in bursts, and alone the first of each would go); else with all that comes
 * meanwhile. When a flush fails for a reason that one item may have, each is tried alone, so that one bad item fails by itself.
 */
export function gather<I, O>(options: GatherOptions<I, O>): (item: I) => Promise<O> {
  const { flush, maxItems, splits } = options;
  const waiting: Waiting<I, O>[] = [];
  let isBusy = false;

  const run = async (batch: Waiting<I, O>[]): Promise<void> => {
    try {
      const results = await flush(batch.map((entry) => entry.item));
      batch.forEach((entry, index) => entry.resolve(results[index]!));
    } catch (error) {
      if (batch.length === 1 || splits?.(error) !== true) batch.forEach((entry) => entry.reject(error));
      else for (const entry of batch) await run([entry]);
    }
  };

  const runAll = async (): Promise<void> => {
    while (waiting.length > 0) await run(waiting.splice(0, maxItems));
    isBusy = false;
  };

  return (item) =>
    new Promise<O>((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (isBusy) return;
      isBusy = true;
      setImmediate(() => void runAll());
    });
}
