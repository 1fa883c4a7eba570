/** A result is used for this many times the time that its call took, so that slow calls do not follow each other. */
const CALL_TIMES = 4;
/** Maximum of that time in milliseconds. */
const MAX_SLOW_MS = 8_000;
/** Time in milliseconds after which a call counts as lost, and another one begins. */
const LOST_AFTER_MS = 30_000;

/**
 * Returns a function that calls `ask` at most once per `ms` milliseconds, less often if a call is slow, and never
 * while another call is in progress, so that no older result replaces a newer one. All callers share the result.
 * @param callTimes A result is used for at least this many times the time that its call took, up to 8 s.
 */
export function cachedFor<T>(
  ms: number,
  ask: () => Promise<T>,
  { callTimes = CALL_TIMES }: { callTimes?: number } = {},
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
      const slowMs = Math.min(callTimes * (ended - from), MAX_SLOW_MS);
      if (number === begun) freshUntil = Math.max(from + ms, ended + slowMs);
    }
  };
  return () => {
    if (latest === null || now() >= freshUntil) {
      latest = call();
      // Each caller gets the error. An error without a waiting caller must not end the process.
      latest.catch(() => undefined);
    }
    return latest;
  };
}

/** Only durations are measured, so no clock is passed in. */
// eslint-disable-next-line no-restricted-properties -- see above
const now = (): number => performance.now();
