import { CasefileError } from './errors/casefile-error.js';

/** Errors of a time limit, for a timeout and for an abort, and its extension. */
export interface TimeoutWords {
  /** Message of the error. Default: `no answer within <ms> ms`. */
  message?: string;
  /** Error on timeout. Default: `timeout` with `message`. */
  whenOver?: () => CasefileError;
  /** Error if the caller's signal is aborted. Default: the reason of the signal. */
  whenAborted?: (reason: unknown) => unknown;
  /** Whether a retry may succeed. Default: true. */
  retryable?: boolean;
  /** Returns the milliseconds to continue when the time is over; 0: none. Default: none. */
  moreMs?: () => number;
}

/**
 * Runs `work` until it ends, `ms` milliseconds (null: no limit) are over or `signal` is aborted, whichever is
 * first. This also works if `work` ignores its signal.
 * @throws CasefileError `timeout` (or the result of `whenOver`), the result of `whenAborted`, or the error of
 * `work`.
 */
export async function withTimeout<T>(
  ms: number | null,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
  words: TimeoutWords = {},
): Promise<T> {
  const { message = `no answer within ${ms} ms`, whenAborted = (reason) => reason, retryable = true } = words;
  const { whenOver = () => new CasefileError('timeout', message, { retryable }), moreMs = () => 0 } = words;
  if (signal.aborted) throw whenAborted(signal.reason);
  const limit = new AbortController();
  const over = (): void => {
    const more = moreMs();
    if (more > 0) timer = setTimeout(over, more);
    else limit.abort(whenOver());
  };
  const callOff = (): void => limit.abort(whenAborted(signal.reason));
  let timer = ms === null ? null : setTimeout(over, ms);
  signal.addEventListener('abort', callOff, { once: true });
  try {
    return await unlessAborted(limit.signal, work(limit.signal));
  } catch (error) {
    throw limit.signal.aborted ? limit.signal.reason : error;
  } finally {
    if (timer !== null) clearTimeout(timer);
    signal.removeEventListener('abort', callOff);
  }
}

/** Returns the result of `work`. @throws the reason of `signal` if the signal is aborted first. */
export async function unlessAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  let stop = (): void => undefined;
  const stopped = new Promise<never>((_resolve, reject) => {
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

/** Waits `ms` milliseconds. If `signal` is aborted, the wait ends early without an error. */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted === true) return resolve();
    const end = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal?.addEventListener('abort', end, { once: true });
  });
}
