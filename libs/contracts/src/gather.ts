export interface GatherOptions<I, O> {
  /** Processes many items together. Returns one result per item in the same order, or the promise of one. */
  flush(items: I[]): Promise<readonly (O | PromiseLike<O>)[]>;
  /** Maximum number of items per flush. */
  maxItems: number;
  /** Whether to process each item alone after a failed flush. Default: all items fail with the error. */
  splits?(error: unknown): boolean;
}

interface Waiting<I, O> {
  item: I;
  resolve(result: O | PromiseLike<O>): void;
  reject(error: unknown): void;
}

/**
 * Batches calls into flushes, one flush at a time and without a timer. If no flush is running, all calls of
 * one turn of the event loop are flushed together, because answers and jobs arrive in bursts. If a flush is
 * running, the next flush contains all calls that arrive meanwhile. If a flush fails for a reason that a
 * single item may cause, each item is processed alone, so that only the bad item fails.
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
