/** Waits before the attempts after the first one, in milliseconds: 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 10 h. */
const WAITS = [5_000, 300_000, 1_800_000, 7_200_000, 18_000_000, 36_000_000, 36_000_000];
/**
 * Largest share of a wait that is added or subtracted, so that receivers do not get all retries at the same
 * time.
 */
const JITTER = 0.2;
/** Longest wait that a receiver may request, in milliseconds. */
const MOST_RETRY_AFTER = 86_400_000;

/** Number of attempts of a delivery. */
export const MOST_ATTEMPTS = WAITS.length + 1;

/**
 * Returns the time of the next attempt after a failed attempt, in milliseconds since 1970; null: there is none.
 * @param done Attempts so far, at least 1.
 * @param retryAfterMs Wait that the receiver requested. A wait shorter than the planned one changes nothing.
 * @param random From 0 to 1.
 */
export function nextAttempt(
  done: number,
  now: number,
  retryAfterMs: number | null,
  random: number,
): number | null {
  const wait = WAITS[done - 1];
  if (wait === undefined) return null;
  const plannedWait = wait * (1 - JITTER + 2 * JITTER * random);
  const requestedWait = Math.min(retryAfterMs ?? 0, MOST_RETRY_AFTER);
  return now + Math.round(Math.max(plannedWait, requestedWait));
}
