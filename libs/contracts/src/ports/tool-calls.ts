import type { Lane, Nudge } from '../job.js';
import type { Interaction, InteractionResult, ToolCall } from '../record.js';
import type { RunSettings } from '../settings.js';
import type { NewEvent } from './units.js';
import type { IntentRequest } from './interactions.js';

export interface ToolLease {
  toolCallId: string;
  epoch: number;
}

/** A model call that a tool is about to make, by the lease of its tool call. */
export type ToolIntentRequest = Pick<IntentRequest, 'results' | 'interaction' | 'reservations'> & {
  lease: ToolLease;
};

/** What goes on the record with the settlement of a tool call that asked a model. */
export interface ToolCallMore {
  results: InteractionResult[];
  events: NewEvent[];
}

export type ToolClaimResult =
  | {
      kind: 'claimed';
      lease: ToolLease;
      call: ToolCall;
      caseId: string;
      /** What the call has asked of models, by step and attempt. */
      interactions: Interaction[];
      lane: Lane;
      settings: RunSettings;
      trace: string | null;
    }
  /** `nudges` wakes the unit when the call is settled already but its unit was not woken. */
  | { kind: 'refused'; reason: 'leased' | 'settled' | 'unknown'; nudges: Nudge[] };

export type ToolSettlement = Pick<
  ToolCall,
  'result' | 'source' | 'reasonCode' | 'message' | 'durationMs' | 'attempts'
> & {
  state: 'succeeded' | 'failed';
};

/** What came of running a tool. */
export interface ToolRun extends ToolSettlement {
  /** The whole of a result that is too long to travel with its call, as text; `result` is then what is shown of it. */
  whole?: string;
}
