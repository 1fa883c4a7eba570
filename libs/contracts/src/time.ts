import { CasefileError } from './errors/casefile-error.js';

/** How a limit of time is told when it is over, or when the work was called off before. */
export interface TimeoutWords {
  /** Of the error; absent: `no answer within <ms> ms`. */
  message?: string;
  /** What is thrown when the time is over; absent: `timeout` with `message`. */
  whenOver?: () => CasefileError;
  /** What is thrown when the caller's signal is aborted; absent: the reason of that signal. */
  whenAborted?: (reason: unknown) => unknown;
  /** May the work succeed when it is tried again? Absent: yes. */
  retryable?: boolean;
}

/**
 * Runs `work` until it ends, `ms` milliseconds (null: no limit) are over or `signal` is aborted, whichever is first; also
 * when `work` does not look at the signal that it is handed.
 * @throws CasefileError `timeout` or what the caller has in its place, what an aborted signal is told by, or what `work` throws.
 */
export async function withTimeout<T>(
  ms: number | null,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
  words: TimeoutWords = {},
): Promise<T> {
  const { message = `no answer within ${ms} ms`, whenAborted = (reason) => reason, retryable = true } = words;
  const { whenOver = () => new CasefileError('timeout', message, { retryable }) } = words;
  if (signal.aborted) throw whenAborted(signal.reason);
  const limit = new AbortController();
  const over = (): void => limit.abort(whenOver());
  const callOff = (): void => limit.abort(whenAborted(signal.reason));
  const timer = ms === null ? null : setTimeout(over, ms);
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

/** What `work` comes to, or the reason of `signal` when that is aborted first. */
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

/** Waits `ms` milliseconds, or until `signal` is aborted: then it ends early, without an error. */
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
