import type { Lane, Nudge } from '../job.js';
import type { Interaction, InteractionResult, ToolCall } from '../record.js';
import type { RunSettings } from '../settings.js';
import type { NewEvent } from '../units/move.js';
import type { ToolLease } from './interactions.js';

/** Additional data recorded when a tool call that used a model is settled. */
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
      /** The model calls of this tool call, by step and attempt. */
      interactions: Interaction[];
      lane: Lane;
      settings: RunSettings;
      trace: string | null;
    }
  /** `nudges` wakes the unit if the call is already settled but its unit was not woken. */
  | { kind: 'refused'; reason: 'leased' | 'settled' | 'unknown'; nudges: Nudge[] };

export type ToolSettlement = Pick<
  ToolCall,
  'result' | 'source' | 'reasonCode' | 'message' | 'durationMs' | 'attempts'
> & {
  state: 'succeeded' | 'failed';
};

/** Result of running a tool. */
export interface ToolRun extends ToolSettlement {
  /**
   * The complete text of a result that is too long to travel with its call. `result` is then the part to
   * show.
   */
  whole?: string;
}

/** Tool calls that run as separate jobs. */
export interface ToolCalls {
  /** Claims a tool call. Model calls that an earlier claim left pending become `ambiguous`. */
  claim(toolCallId: string, leaseMs: number): Promise<ToolClaimResult>;
  renew(leases: ToolLease[], leaseMs: number): Promise<ToolLease[]>;
  /**
   * Settles a call. If it was the last open call of its step, the same transaction makes its unit due. Model
   * calls of it that are still pending become `ambiguous`, because their results will never be reported.
   */
  settle(
    lease: ToolLease,
    settlement: ToolSettlement,
    more?: ToolCallMore,
  ): Promise<{ kind: 'settled' | 'stale'; nudges: Nudge[] }>;
  release(lease: ToolLease): Promise<Nudge[]>;
}
