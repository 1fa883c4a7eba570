import { CasefileError } from '@casefile/contracts';

/**
 * Runs `work` with a signal that is aborted when `signal` is, or after `ms` (null: never).
 * It ends then, even when `work` does not listen to its signal.
 * @throws CasefileError `timeout` after `ms`; the reason of `signal` when that was aborted.
 */
export async function withDeadline<T>(
  signal: AbortSignal,
  ms: number | null,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted();
  const own = new AbortController();
  const end = (reason: unknown) => own.abort(reason);
  const follow = () => end(signal.reason);
  signal.addEventListener('abort', follow, { once: true });
  const timer =
    ms === null ? null : setTimeout(() => end(new CasefileError('timeout', `no answer within ${ms} ms`)), ms);
  try {
    return await Promise.race([work(own.signal), rejectionOf(own.signal)]);
  } catch (error) {
    throw own.signal.aborted ? own.signal.reason : error;
  } finally {
    signal.removeEventListener('abort', follow);
    if (timer !== null) clearTimeout(timer);
  }
}

function rejectionOf(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
}
