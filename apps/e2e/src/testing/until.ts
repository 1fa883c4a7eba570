import { setTimeout as pause } from 'node:timers/promises';

/** Timeout for a condition that never holds. */
const WITHIN_MS = 300_000;

/**
 * Waits until `holds` returns true, with a check every few milliseconds.
 * @throws Error that names the missing condition.
 */
export async function until(
  what: string,
  holds: () => boolean | Promise<boolean>,
  everyMs = 20,
): Promise<void> {
  for (const end = Date.now() + WITHIN_MS; !(await holds()); await pause(everyMs))
    if (Date.now() > end) throw new Error(`${what}: not within ${WITHIN_MS} ms`);
}
