import { CasefileError, withTimeout } from '@casefile/contracts';

/**
 * Runs `work` until it ends, `ms` milliseconds have passed or `outer` is aborted. In the last two cases the
 * signal passed to `work` is aborted, and its result is not awaited.
 * @throws CasefileError `timeout` or `aborted`; errors of `work`.
 */
export function withinTime<T>(
  ms: number,
  outer: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  return withTimeout(ms, outer, work, {
    message: `The provider did not answer within ${ms} ms`,
    whenAborted: (cause) => new CasefileError('aborted', 'The call was abandoned', { cause }),
  });
}
