/**
 * A result is used for this many times the time that the call took, so that slow calls do not follow each other
 * without a pause.
 */
const CALL_TIMES = 4;
/** Maximum of that time in milliseconds. */
const MAX_SLOW_MS = 8_000;
/** A call that takes longer in milliseconds counts as lost, and another one begins. */
const LOST_AFTER_MS = 30_000;

/**
 * Returns a function that calls `ask` at most once per `ms` milliseconds, less often if a call is slow, and never
 * while another call is in progress, so that no older result replaces a newer one. All callers share the result.
 * @param now Time in milliseconds from any start, which never jumps back.
 */
export function cachedFor<T>(
  ms: number,
  ask: () => Promise<T>,
  // eslint-disable-next-line no-restricted-properties -- the default of what is given: the Clock port may jump back
  now: () => number = () => performance.now(),
): () => Promise<T> {
  let latest: Promise<T> | null = null;
  let freshUntil = 0;
  let begun = 0;
  const call = async (): Promise<T> => {
    const from = now();
    const number = (begun += 1);
    freshUntil = from + LOST_AFTER_MS;
    try {
      return await ask();
    } catch (error) {
      // An error is not kept: the next caller asks again.
      if (number === begun) latest = null;
      throw error;
    } finally {
      const ended = now();
      const slowMs = Math.min(CALL_TIMES * (ended - from), MAX_SLOW_MS);
      if (number === begun) freshUntil = Math.max(from + ms, ended + slowMs);
    }
  };
  return () => {
    if (latest === null || now() >= freshUntil) {
      latest = call();
      // Each caller gets the error. A result that nobody waits for ends no process.
      latest.catch(() => undefined);
    }
    return latest;
  };
}
