import { reasonOf, type ReasonCode } from './reason-codes.js';

/** Information about an error for its callers, set where the error is created. */
export interface ErrorFacts {
  /** Whether a retry of the same work may succeed without a change by a person. */
  retryable?: boolean;
  /** The other side's minimum delay before a retry, in milliseconds. */
  retryAfterMs?: number;
  /** Facts for the log: never a key, never a whole request. */
  details?: Record<string, unknown>;
  cause?: unknown;
}

/** The only error class that crosses a port: a stable reason code for machines, a sentence for people. */
export class CasefileError extends Error {
  readonly retryable: boolean;
  readonly retryAfterMs?: number;
  readonly details: Record<string, unknown>;

  constructor(
    readonly reasonCode: ReasonCode,
    message: string,
    facts: ErrorFacts = {},
  ) {
    super(message, facts.cause === undefined ? undefined : { cause: facts.cause });
    this.name = new.target.name;
    this.retryable = facts.retryable ?? false;
    if (facts.retryAfterMs !== undefined) this.retryAfterMs = facts.retryAfterMs;
    this.details = facts.details ?? {};
  }
}

/** Returns any thrown value as a CasefileError. Other errors become `unexpected` and not retryable. */
export function asCasefileError(thrown: unknown): CasefileError {
  if (thrown instanceof CasefileError) return thrown;
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return new CasefileError('unexpected', message, { cause: thrown });
}

/**
 * Returns whether the error is about the worker, or about the record that a replay reads, rather than about
 * the work. The work is not judged by such an error, and no fallback is used.
 */
export function isWorkerError(thrown: unknown): boolean {
  return ['worker', 'record'].includes(reasonOf(asCasefileError(thrown).reasonCode).of ?? '');
}
