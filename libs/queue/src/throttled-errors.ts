import type { Logger } from '@casefile/contracts';

const QUIET_MS = 10_000;
/** Remembered keys. With more keys, a message may be logged early. */
const MOST_KEYS = 1_000;

/**
 * Returns a function that permits each key once per `quietMs`. The function returns how often the key was
 * suppressed since then, or null if it must be suppressed now.
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
 * Message of BullMQ for a job whose lock ended, because the process was busy for too long. Another worker took the job over
 * and the event `stalled` or `lockRenewalFailed` reports it, so the message says nothing more.
 */
const LOST_LOCK = /^(?:Missing key|Missing lock|Lock mismatch) for job /;

/**
 * Returns a logger of a queue store's errors. It logs each message at most once in ten seconds, because in an
 * outage every queue and worker reports the same error several times per second.
 */
export function throttledErrors(log: Logger, store: string, now = Date.now): (error: Error) => void {
  const letThrough = throttledKeys(QUIET_MS, now);
  return (error) => {
    if (LOST_LOCK.test(error.message)) return log.debug({ err: error, store }, 'the lock of a job ended');
    if (letThrough(error.message) !== null) log.warn({ err: error, store }, 'queue store error');
  };
}
