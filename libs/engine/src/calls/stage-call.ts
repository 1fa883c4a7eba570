import type {
  CasefileError,
  Interaction,
  IntentRequest,
  Lane,
  ModelRequest,
  ModelResponse,
  Reservation,
  RunSettings,
  StageKey,
} from '@casefile/contracts';
import type { CallWaits } from './own-waits.js';

/** Work whose model calls are recorded: a stage, or one of its tool calls. */
export interface JournaledWork {
  key: StageKey;
  /** Tool call that makes the model call. Default: the stage itself. */
  toolCallId?: string;
  caseId: string;
  lane: Lane;
  settings: RunSettings;
  /** Recorded interactions, by step and attempt. */
  interactions: readonly Interaction[];
  /** Total time without a worker, in milliseconds. Default: 0. */
  pausedMs?: number;
  /** Seed for the first draw. Default: a random one. */
  seed?: string | undefined;
}

/** A model call before it is made. The writer adds the lease. */
export type Intent = Pick<IntentRequest, 'results' | 'interaction' | 'reservations'>;

/**
 * A question on its way to a provider: `Journal` reads its answer from the record, or passes it to `Routed`, which
 * chooses a model, `Retried`, which tries again, `Permitted`, which waits for permission, `Budgeted`, which reserves
 * its cost if anything limits it, and `Paid`, which records the attempt and makes the call.
 */
export interface StageCall {
  step: number;
  /** SHA-256 of the request as the stage made it. */
  hash: string;
  request: ModelRequest;
  /** Milliseconds since the epoch, without the waits of this process; null: none. */
  deadlineAt: number | null;
  /** Waits that this process causes. They move the deadline. */
  waits: CallWaits;
  /** Attempts of this call so far, by provider. */
  made: Map<string, number>;
  /** What the attempt reserves in budgets. Default: no budget limits it. */
  reservations?: Reservation[];
}

/** Returns the end of the time for an answer, in milliseconds since the epoch; null: none. */
export function callEnd({ deadlineAt, waits }: Pick<StageCall, 'deadlineAt' | 'waits'>): number | null {
  return deadlineAt === null ? null : deadlineAt + waits.ms;
}

/** The answer of a model, or the model's error. All other errors are thrown. */
export type Attempted = { response: ModelResponse } | { error: CasefileError };
