import type { JsonObject, ToolCall, ToolRequest, TraceStep, z } from '@casefile/contracts';
import type { ReasonInput } from '../../strategy.js';

/** The turns so far. */
export interface TurnsBefore {
  /** Number of turns taken. */
  taken: number;
  /** Number of turns with tools that are left. */
  left: number;
  /** Every call that was made, in its order. */
  calls: readonly ToolCall[];
  trace: readonly TraceStep[];
}

/** Review of a plan that a model stated. */
export interface PlanReview {
  /** Answer to the model. */
  text: string;
  /** Look-ups that the loop makes in this turn. Requests that were answered before are read again. */
  requests: ToolRequest[];
  /** Arguments of `finish` with which the loop ends now; null: it continues. */
  finish: JsonObject | null;
}

/**
 * Decides which look-ups of a loop are made. The model states a plan by a call that no tool answers; the guide reviews it,
 * and makes the look-ups that follow from it.
 */
export interface Guide<P = unknown> {
  plan: { name: string; description: string; parameters: JsonObject; schema: z.ZodType<P> };
  review(plan: P, turns: TurnsBefore, input: ReasonInput): PlanReview;
  /**
   * Returns why a look-up, or the end of the loop (null), is refused now; null: it is allowed.
   * @param plan The plan of the same turn; null: the turn has none.
   */
  refusal(request: ToolRequest | null, plan: P | null, turns: TurnsBefore, input: ReasonInput): string | null;
}
