import { setTimeout as sleep } from 'node:timers/promises';
import { asCasefileError } from '../errors/casefile-error.js';

/** Timeout for a condition that never holds. */
const WITHIN_MS = 60_000;

/**
 * Waits until `holds` returns true. The checks become less frequent, down to one every `everyMs`. A store that is too
 * busy to answer is asked again. The wait also ends in time if `holds` itself hangs.
 * @param what Name of the condition, or a function that returns the name with the last state seen.
 * @param withinMs A longer limit is for programs that start or measure a whole system.
 * @throws Error that names the missing condition.
 */
export async function until(
  what: string | (() => string),
  holds: () => boolean | Promise<boolean>,
  everyMs = 20,
  withinMs = WITHIN_MS,
): Promise<void> {
  let cause: unknown;
  const holdsNow = async (): Promise<boolean> => {
    try {
      return await holds();
    } catch (thrown) {
      if (asCasefileError(thrown).reasonCode !== 'store_unreachable') throw thrown;
      cause = thrown;
      return false;
    }
  };
  const timeout = new AbortController();
  const limit = sleep(withinMs, 'late', { signal: timeout.signal }).catch(() => 'over');
  const end = performance.now() + withinMs;
  const poll = async (): Promise<string> => {
    for (let waitMs = 1; !(await holdsNow()); waitMs *= 2) {
      if (performance.now() > end) return 'late';
      await sleep(Math.min(waitMs, everyMs));
    }
    return 'holds';
  };
  const outcome = await Promise.race([poll(), limit]).finally(() => timeout.abort());
  if (outcome !== 'late') return;
  throw new Error(`${typeof what === 'string' ? what : what()}: not within ${withinMs} ms`, { cause });
}

/** Waits a fixed time. `why` states why no condition can replace the wait. */
export async function pause(ms: number, _why: string): Promise<void> {
  await sleep(ms);
}
