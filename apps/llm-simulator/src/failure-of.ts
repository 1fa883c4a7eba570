import { asCasefileError, InvalidInput } from '@casefile/contracts';
import { REFUSED } from './wires/wire.js';
import type { Failure } from './wires/wire.js';

const STATUSES: Record<string, number> = { invalid_input: 400, too_large: 413 };

/** Converts an error to the failure that the client receives. */
export function toFailure(thrown: unknown): Failure {
  const error = asCasefileError(thrown);
  if (error.reasonCode === REFUSED) return { ...(error.details as Partial<Failure>), ...errorText(error) };
  if (error instanceof InvalidInput)
    return { status: 400, param: error.problems[0]?.path, message: invalidProblems(error) };
  return { status: STATUSES[error.reasonCode] ?? 500, code: error.reasonCode, message: error.message };
}

function errorText({ message, details }: { message: string; details: Record<string, unknown> }) {
  return { status: typeof details.status === 'number' ? details.status : 400, message };
}

/** Like real servers, says that a missing field is required, and not what was received instead. */
function invalidProblems({ problems }: InvalidInput): string {
  const lines = problems.map(({ path, message }) => {
    return `${path || 'body'}: ${/received undefined$/.test(message) ? 'Field required' : message}`;
  });
  return lines.join('; ');
}
