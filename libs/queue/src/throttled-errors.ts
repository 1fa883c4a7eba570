import type { Logger } from '@casefile/contracts';

const QUIET_MS = 10_000;
/** Keys that are remembered; beyond that a message may be logged early. */
const MOST_KEYS = 1_000;

/**
 * Returns a function that lets each key through once per `quietMs`.
 * @returns how often the key was held back since it was last let through; null: hold it back now.
 */
export function throttledKeys(quietMs: number, now = Date.now): (key: string) => number | null {
  const last = new Map<string, { at: number; heldBack: number }>();
  return (key) => {
    const at = now();
    const before = last.get(key);
    if (before !== undefined && at - before.at < quietMs) {
      before.heldBack += 1;
      return null;
    }
    for (const [known, { at: time }] of last) if (at - time >= quietMs) last.delete(known);
    if (last.size >= MOST_KEYS) last.clear();
    last.set(key, { at, heldBack: 0 });
    return before?.heldBack ?? 0;
  };
}

/**
 * Logs errors of a queue store, each message at most once in ten seconds: in an outage every queue and
 * worker reports the same one several times a second.
 */
export function throttledErrors(log: Logger, store: string, now = Date.now): (error: Error) => void {
  const letThrough = throttledKeys(QUIET_MS, now);
  return (error) => {
    if (letThrough(error.message) !== null) log.warn({ err: error, store }, 'queue store error');
  };
}
