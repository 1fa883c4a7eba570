import { reasonOf, type ReasonCode } from './reason-codes.js';

/** What a caller may do about an error, decided where the error is made. */
export interface ErrorFacts {
  /** May the same work succeed when tried again without a change by a person? */
  retryable?: boolean;
  /** The other side's own minimum before another try, in milliseconds. */
  retryAfterMs?: number;
  /** Facts for the log; never a key, never a whole request. */
  details?: Record<string, unknown>;
  cause?: unknown;
}

/** The one error class that crosses a port: a stable reason code for machines, a sentence for people. */
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

/** Turns anything thrown into a CasefileError; what is not one of ours is `unexpected` and not retryable. */
export function asCasefileError(thrown: unknown): CasefileError {
  if (thrown instanceof CasefileError) return thrown;
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return new CasefileError('unexpected', message, { cause: thrown });
}

/**
 * Is this about the worker, or the record that it reads again, rather than about the work? Then the work is not judged by it,
 * and nothing falls back for it.
 */
export function isOfTheWorker(thrown: unknown): boolean {
  return ['worker', 'record'].includes(reasonOf(asCasefileError(thrown).reasonCode).of ?? '');
}
