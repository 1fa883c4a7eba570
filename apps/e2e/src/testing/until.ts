import { setTimeout as pause } from 'node:timers/promises';

/** A limit for what hangs. */
const WITHIN_MS = 300_000;

/** Waits until it holds, looking again every few milliseconds. @throws that names what did not come. */
export async function until(
  what: string,
  holds: () => boolean | Promise<boolean>,
  everyMs = 20,
): Promise<void> {
  for (const end = Date.now() + WITHIN_MS; !(await holds()); await pause(everyMs))
    if (Date.now() > end) throw new Error(`${what}: not within ${WITHIN_MS} ms`);
}
