export interface GatherOptions<I, O> {
  /** Does the work for many items at once; one result an item, in their order, or the promise of one. */
  flush(items: I[]): Promise<readonly (O | PromiseLike<O>)[]>;
  /** Items a flush, at most. */
  maxItems: number;
  /** Flushes under way at once. */
  maxFlushes: number;
  /**
   * true: many callers go round in two halves. While one half's flush is under way the other half's callers do their own work;
   * otherwise all of them gather in one flush, wait for it together, and then all work at once.
   */
  inHalves?: boolean;
  /** After a failed flush: may each item be tried alone? false: all of them fail with the error. */
  splits(error: unknown): boolean;
}

interface Waiting<I, O> {
  item: I;
  resolve(result: O | PromiseLike<O>): void;
  reject(error: unknown): void;
}

/** So few callers go together: halves of them would only be more flushes. */
const FEW = 16;

function sizeOf(
  waiting: number,
  last: number,
  { maxItems, inHalves }: GatherOptions<never, unknown>,
): number {
  const share = inHalves === true ? Math.max(FEW, Math.ceil((waiting + last) / 2)) : waiting;
  return Math.min(waiting, maxItems, share);
}

/**
 * Gathers calls into flushes without a timer: when a flush is free, what comes within one turn of the event loop is flushed
 * together (answers and jobs arrive in bursts, and alone the first of each would go); else with what comes
 * meanwhile: all of it, or half of what goes round. When a flush fails for a reason that one item may have, each is tried alone,
 * so that one bad item fails by itself.
 */
export function gather<I, O>(options: GatherOptions<I, O>): (item: I) => Promise<O> {
  const waiting: Waiting<I, O>[] = [];
  let underWay = 0;
  let isTurnAwaited = false;
  /** Items of the flush before. */
  let last = 0;

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
      last = sizeOf(waiting.length, last, options);
      void run(waiting.splice(0, last)).finally(() => {
        underWay -= 1;
        pump();
      });
    }
  };

  const pumpNextTurn = (): void => {
    if (isTurnAwaited || underWay >= options.maxFlushes) return;
    isTurnAwaited = true;
    setImmediate(() => {
      isTurnAwaited = false;
      pump();
    });
  };

  return (item) =>
    new Promise<O>((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      pumpNextTurn();
    });
}
