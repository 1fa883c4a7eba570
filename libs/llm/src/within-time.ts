import { CasefileError } from '@casefile/contracts';

/**
 * Runs `work` until it ends, `ms` milliseconds have passed or `outer` is aborted; in the last two cases the
 * signal that `work` was handed is aborted, and it is not waited for.
 * @throws CasefileError `timeout` or `aborted`; what `work` throws.
 */
export async function withinTime<T>(
  ms: number,
  outer: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  if (outer.aborted) throw aborted(outer);
  const inner = new AbortController();
  let stop: (reason: CasefileError) => void = () => undefined;
  const stopped = new Promise<never>((_resolve, reject) => {
    stop = (reason) => {
      reject(reason);
      inner.abort(reason);
    };
  });
  const onAbort = () => stop(aborted(outer));
  outer.addEventListener('abort', onAbort, { once: true });
  const timer = setTimeout(() => stop(timedOut(ms)), ms);
  try {
    return await Promise.race([stopped, work(inner.signal)]);
  } finally {
    clearTimeout(timer);
    outer.removeEventListener('abort', onAbort);
  }
}

function aborted(outer: AbortSignal): CasefileError {
  return new CasefileError('aborted', 'The call was given up', { cause: outer.reason });
}

function timedOut(ms: number): CasefileError {
  return new CasefileError('timeout', `The provider did not answer within ${ms} ms`, { retryable: true });
}
