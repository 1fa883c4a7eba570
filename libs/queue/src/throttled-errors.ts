import type { Logger } from '@casefile/contracts';

const QUIET_MS = 10_000;

/**
 * Logs errors of a queue store, each message at most once in ten seconds: in an outage every queue and
 * worker reports the same one several times a second.
 */
export function throttledErrors(log: Logger, store: string, now = Date.now): (error: Error) => void {
  const last = new Map<string, number>();
  return (error) => {
    const at = now();
    if (at - (last.get(error.message) ?? -Infinity) < QUIET_MS) return;
    for (const [message, time] of last) if (at - time >= QUIET_MS) last.delete(message);
    last.set(error.message, at);
    log.warn({ err: error, store }, 'queue store error');
  };
}
