import {
  CasefileError,
  messageWithoutValues,
  type IntentRequest,
  type Reservation,
} from '@casefile/contracts';
import type { Queryable } from './statement.js';
import { isUuid } from './row-set.js';

const CONFLICTS = new Set(['40001', '40P01']);
const UNIQUE_VIOLATION = '23505';
/** SQLSTATE of a write to a database that takes none: a standby, or `default_transaction_read_only = on`. */
const READ_ONLY = '25006';
/**
 * SQLSTATEs of states of the server, not of the statement, with what the server does. 25P03 and 25P04 end a
 * transaction after a timeout of the server. 28 refuses the user, for example after a change of the password.
 */
const UNAVAILABLE: readonly (readonly [RegExp, string])[] = [
  [/^(08|57P)/, 'does not answer'],
  [/^53100/, 'has no space left on its disk'],
  [/^(53|58)/, 'cannot work now'],
  [/^25006/, 'takes no writes'],
  [/^25P0[34]/, 'ended the transaction'],
  [/^28/, 'refuses the connection'],
];
const SOCKET_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
]);
/** Messages of pg without a code for a broken connection or a timeout. */
const PG_MESSAGES = /timeout|terminated|not queryable|Client was closed|Cannot use a pool after/i;

/** Returns whether the error is a deadlock or a serialization failure, so that a retry may succeed. */
export function isConflict(error: unknown): boolean {
  return CONFLICTS.has(errorCode(error));
}

/**
 * Returns whether a single row of a batch may have caused the error, so that the rows are tried one by one.
 */
export function mayBeOneRow(error: unknown): boolean {
  return !(error instanceof CasefileError && error.reasonCode === 'store_unreachable');
}

/** Returns whether the database refused a write because it takes none. */
export function isReadOnly(error: unknown): boolean {
  return errorCode(error) === READ_ONLY;
}

/**
 * Returns `store_unreachable` (retryable) if the database does not respond or cannot work now, else
 * `store_error`. The message quotes no value of a statement.
 */
export function asStoreError(error: unknown): CasefileError {
  if (error instanceof CasefileError) return error;
  const message = messageWithoutValues(error);
  const code = errorCode(error);
  const hasNoAnswer = SOCKET_CODES.has(code) || (code === '' && PG_MESSAGES.test(message));
  const what = hasNoAnswer ? 'does not answer' : UNAVAILABLE.find(([codes]) => codes.test(code))?.[1];
  if (what !== undefined) {
    return new CasefileError('store_unreachable', `The database ${what}: ${message}`, {
      retryable: true,
      details: { sqlState: code },
      cause: error,
    });
  }
  if (code === UNIQUE_VIOLATION && errorConstraint(error).startsWith('artifacts_')) {
    const text = 'The artifact of this unit and round is on the record already.';
    return new CasefileError('artifact_exists', text, { cause: error });
  }
  const retryable = isConflict(error);
  return new CasefileError('store_error', `The database refused a statement: ${message}`, {
    retryable,
    details: { sqlState: code },
    cause: error,
  });
}

function errorCode(error: unknown): string {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' ? code : '';
}

function errorConstraint(error: unknown): string {
  return (error as { constraint?: string }).constraint ?? '';
}

export function unknownCase(caseId: string): CasefileError {
  return new CasefileError('unknown_case', `There is no case ${caseId} on the record.`);
}

/** Returns the reason why nothing was changed: `unknown_case` if there is no such case, else `otherwise`. */
export async function nothingDone(
  tx: Queryable,
  caseId: string,
  otherwise: CasefileError,
): Promise<CasefileError> {
  const [known] = isUuid(caseId) ? await tx.rows('select id from cases where id = $1', [caseId]) : [];
  return known === undefined ? unknownCase(caseId) : otherwise;
}

export function placeTaken({ interaction }: Pick<IntentRequest, 'interaction'>): CasefileError {
  const { step, attempt } = interaction;
  const place = `step ${step}, attempt ${attempt}`;
  return new CasefileError('interaction_exists', `A model call is on the record already at ${place}.`);
}

/** Returns the error for a budget without room for a call. */
export function budgetExhausted({ key, window }: Pick<Reservation, 'key' | 'window'>): CasefileError {
  const period = window === 'all' ? '' : ` of ${window}`;
  return new CasefileError('budget_exhausted', `The budget ${key}${period} has no room for this call.`, {
    details: { key, window },
  });
}
