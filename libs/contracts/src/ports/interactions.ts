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
