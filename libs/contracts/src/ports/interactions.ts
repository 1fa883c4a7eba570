import type { Interaction, InteractionResult } from '../record.js';
import type { Reservation } from './budgets.js';
import type { Lease, InlineToolCall } from './units.js';

/** A model call about to be made. Results of earlier calls of the stage are recorded with it. */
export interface IntentRequest {
  lease: Lease;
  results: InteractionResult[];
  /**
   * Tool calls the stage ran inside itself since its last write: what they found may be in the request that is about to be
   * paid, and the same must be found again after a crash.
   */
  inlineToolCalls?: InlineToolCall[];
  interaction: Pick<
    Interaction,
    | 'id'
    | 'step'
    | 'attempt'
    | 'provider'
    | 'model'
    | 'promptId'
    | 'requestHash'
    | 'request'
    | 'draw'
    | 'route'
  >;
  /** Taken with the intent, all or none; rows of budgets are locked in the order of their keys. */
  reservations?: Reservation[];
}

export interface ToolLease {
  toolCallId: string;
  epoch: number;
}

/** A model call that a tool is about to make, by the lease of its tool call. */
export type ToolIntentRequest = Pick<IntentRequest, 'results' | 'interaction' | 'reservations'> & {
  lease: ToolLease;
};

/** Model calls, written before they are made. What came of them is written with the stage's next write. */
export interface Interactions {
  /**
   * Writes the intent (state `pending`) before the call. false: the lease is stale, do not call.
   * @throws CasefileError `budget_exhausted` (details: `key`, `window`) when a reservation does not fit: the results
   * and inline tool calls that came with it are on the record, the intent is not.
   */
  intend(request: IntentRequest): Promise<boolean>;

  /** As `intend`, for a model call that a tool makes. false: the tool call is somebody else's or settled, do not call. */
  intendForTool(request: ToolIntentRequest): Promise<boolean>;
}
