import { asCasefileError, CasefileError } from './casefile-error.js';
import { InvalidInput, type FieldProblem } from './invalid-input.js';
import type { ReasonCode } from './reason-codes.js';

/** A CasefileError as plain data, for another process. */
export interface PackedError {
  reasonCode: ReasonCode;
  message: string;
  /** Every invalid field of an InvalidInput. */
  invalid?: { problems: FieldProblem[]; what: string };
}

export function packError(thrown: unknown): PackedError {
  const { reasonCode, message } = asCasefileError(thrown);
  if (!(thrown instanceof InvalidInput)) return { reasonCode, message };
  const { problems, what } = thrown;
  return { reasonCode, message, invalid: { problems, what } };
}

export function unpackError({ reasonCode, message, invalid }: PackedError): CasefileError {
  if (invalid !== undefined) return new InvalidInput(invalid.problems, invalid.what);
  return new CasefileError(reasonCode, message);
}
