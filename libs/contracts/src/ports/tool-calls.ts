import type { Lane, Nudge } from '../job.js';
import type { Interaction, InteractionResult, ToolCall } from '../record.js';
import type { RunSettings } from '../settings.js';
import type { NewEvent } from '../units/move.js';
import type { ToolLease } from './interactions.js';

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

/** Tool calls that have a job of their own. */
export interface ToolCalls {
  /** Model calls that an earlier claim left pending become `ambiguous`. */
  claim(toolCallId: string, leaseMs: number): Promise<ToolClaimResult>;
  renew(leases: ToolLease[], leaseMs: number): Promise<ToolLease[]>;
  /**
   * Settles a call; when it was the last open one of its step, its unit is due again in the same transaction. Model calls
   * of it that are still pending then are `ambiguous`: nobody will tell what came of them.
   */
  settle(
    lease: ToolLease,
    settlement: ToolSettlement,
    more?: ToolCallMore,
  ): Promise<{ kind: 'settled' | 'stale'; nudges: Nudge[] }>;
  release(lease: ToolLease): Promise<Nudge[]>;
}
