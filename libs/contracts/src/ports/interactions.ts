import type { Interaction, InteractionResult } from '../record.js';
import type { Reservation } from './budgets.js';
import type { Lease, InlineToolCall } from './units.js';

/** A model call that is about to be made. Results of earlier calls of the stage are recorded with it. */
export interface IntentRequest {
  lease: Lease;
  results: InteractionResult[];
  /**
   * Tool calls that the stage ran inside itself since its last write. The paid request may contain their
   * results, so the same results must be available after a crash.
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
  /** Reserved together with the intent, all or none. Budget rows are locked in the order of their keys. */
  reservations?: Reservation[];
}

export interface ToolLease {
  toolCallId: string;
  epoch: number;
}

/** A model call that a tool is about to make, under the lease of its tool call. */
export type ToolIntentRequest = Pick<IntentRequest, 'results' | 'interaction' | 'reservations'> & {
  lease: ToolLease;
};

/** Model calls, recorded before they are made. Their results are saved with the stage's next write. */
export interface Interactions {
  /**
   * Writes the intent (state `pending`) before the call. Returns false if the lease is stale; the caller must
   * not make the call then.
   * @throws CasefileError `budget_exhausted` (details: `key`, `window`) if a reservation does not fit. The
   * results and inline tool calls of the request are recorded even then, the intent is not.
   */
  intend(request: IntentRequest): Promise<boolean>;

  /**
   * Like `intend`, for a model call of a tool. Returns false if another worker has the tool call or it is
   * settled; the caller must not make the call then.
   */
  intendForTool(request: ToolIntentRequest): Promise<boolean>;
}
