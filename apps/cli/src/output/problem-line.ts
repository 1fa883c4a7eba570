import { asCasefileError, InvalidInput } from '@casefile/contracts';

/** Reason code of an invalid command line. */
export const WRONG_USAGE = 'wrong_usage';

/**
 * Returns an error for programs as one line of JSON, with those members of RFC 9457 that apply to a command
 * line. The line goes to standard error, so that standard output holds only results. `more`: fields that
 * identify what failed.
 */
export function problemLine(thrown: unknown, more: Record<string, unknown> = {}): string {
  const { reasonCode, message } = asCasefileError(thrown);
  const errors = thrown instanceof InvalidInput ? { errors: thrown.problems } : {};
  const title = reasonCode === WRONG_USAGE ? 'The command line is wrong' : 'The command failed';
  return JSON.stringify({
    type: `urn:casefile:problem:${reasonCode}`,
    title,
    detail: message,
    reasonCode,
    ...errors,
    ...more,
  });
}
