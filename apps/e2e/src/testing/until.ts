import { setTimeout as pause } from 'node:timers/promises';
import { asCasefileError } from '@casefile/contracts';

/** Timeout for a condition that never holds. */
const WITHIN_MS = 300_000;

/**
 * Waits until `holds` returns true, with a check every few milliseconds. A store that is too busy to answer is asked
 * again.
 * @throws Error that names the missing condition.
 */
export async function until(
  what: string,
  holds: () => boolean | Promise<boolean>,
  everyMs = 20,
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
  for (const end = Date.now() + WITHIN_MS; !(await holdsNow()); await pause(everyMs))
    if (Date.now() > end) throw new Error(`${what}: not within ${WITHIN_MS} ms`, { cause });
}
