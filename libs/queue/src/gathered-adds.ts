import { asCasefileError } from '@casefile/contracts';

interface Waiting<T> {
  items: T[];
  resolve(): void;
  reject(error: unknown): void;
}

/**
 * Sends what is handed in at once when nothing is under way, and otherwise together with whatever else
 * comes until the last sending is over. There is no timer: gathering for a few milliseconds doubled the
 * latency and gained nothing.
 * @param send gets at most `most` items, but never less than one call's.
 */
export function gatherAdds<T>(
  send: (items: T[]) => Promise<void>,
  most: number,
): (items: T[]) => Promise<void> {
  let waiting: Waiting<T>[] = [];
  let sending = false;

  const takeNext = (): Waiting<T>[] => {
    let count = 0;
    const fits = waiting.findIndex((call) => (count += call.items.length) > most);
    const cut = fits === -1 ? waiting.length : Math.max(fits, 1);
    const next = waiting.slice(0, cut);
    waiting = waiting.slice(cut);
    return next;
  };

  const run = async () => {
    sending = true;
    while (waiting.length > 0) {
      const calls = takeNext();
      try {
        await send(calls.flatMap((call) => call.items));
        for (const call of calls) call.resolve();
      } catch (error) {
        for (const call of calls) call.reject(asCasefileError(error));
      }
    }
    sending = false;
  };

  return (items) => {
    if (items.length === 0) return Promise.resolve();
    return new Promise<void>((resolve, reject) => {
      waiting.push({ items, resolve, reject });
      if (!sending) void run();
    });
  };
}
