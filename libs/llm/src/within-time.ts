import { CasefileError, withTimeout } from '@casefile/contracts';

/**
 * Runs `work` until it ends, `ms` milliseconds have passed or `outer` is aborted; in the last two cases the
 * signal that `work` was handed is aborted, and it is not waited for.
 * @throws CasefileError `timeout` or `aborted`; what `work` throws.
 */
export function withinTime<T>(
  ms: number,
  outer: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  return withTimeout(ms, outer, work, {
    message: `The provider did not answer within ${ms} ms`,
    whenAborted: (cause) => new CasefileError('aborted', 'The call was given up', { cause }),
  });
}
