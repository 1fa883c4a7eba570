import { CasefileError } from '@casefile/contracts';

/**
 * Runs `work` until it ends, `timeoutMs` is over or `signal` is aborted, whichever is first; also when `work` does not
 * look at its signal. @throws CasefileError `timeout` (retryable), the reason of `signal`, or what `work` throws.
 */
export async function withTimeout<T>(
  what: string,
  timeoutMs: number,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const limit = new AbortController();
  const over = new CasefileError('timeout', `${what} gave no answer within ${timeoutMs} ms`, {
    retryable: true,
  });
  const timer = setTimeout(() => limit.abort(over), timeoutMs);
  const callOff = () => limit.abort(signal.reason);
  signal.addEventListener('abort', callOff, { once: true });
  try {
    signal.throwIfAborted();
    return await unlessAborted(limit.signal, work(limit.signal));
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', callOff);
  }
}

/** What `work` comes to, or the reason of `signal` when that is aborted first. */
export async function unlessAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  let stop = () => {};
  const stopped = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason as Error);
  });
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  try {
    return await Promise.race([work, stopped]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
