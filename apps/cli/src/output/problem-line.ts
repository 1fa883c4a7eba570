import { asCasefileError, InvalidInput } from '@casefile/contracts';

/** Reason code of a command line that commander does not take. */
export const WRONG_USAGE = 'wrong_usage';

/**
 * An error for programs: the members of RFC 9457 that a command line has, as one line of JSON. It goes to standard
 * error, so that standard output holds results alone. `more`: whose error it is.
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
