import type { JsonObject, ModelMessage, ToolCall, TraceStep, z } from '@casefile/contracts';
import type { StagePorts } from '../stage-ports.js';
import type { DraftParts, ReasonInput } from '../strategy.js';

/** What one evaluation by turns has cost so far. */
export interface Spent {
  tokens: { input: number; output: number };
  /** US dollars at list price; null: of one call the price is not known. */
  costUsd: number | null;
}

/** How a loop of turns ended. */
export interface LoopEnd<F> {
  /** What the model finished with; null: it did not. */
  finished: F | null;
  /** Why it did not finish, or had to before its time; null: it did by itself. */
  reasonCode: string | null;
  /** Of the call that failed for good, the code by which it failed (`circuit_open`, `timeout`, ...); null: none did. */
  cause: string | null;
  trace: TraceStep[];
  /** Every call that was made, in its order; none twice. */
  calls: ToolCall[];
  model: string | null;
  spent: Spent;
  /** Turns, the one that finished included. */
  iterations: number;
  remarks: string[];
}

/** What a playbook gives a strategy that lets a model choose its tools turn by turn. */
export interface ControllerSpec<S extends z.ZodType> {
  /** Of the prompt, with its version: `policy-check/react@2`. */
  id: string;
  /** Wire names of the tools that the model may call. */
  tools: readonly string[];
  /** The call by which the model ends the loop, and what it must say. */
  finish: { name: string; description: string; parameters: JsonObject; schema: S };
  /** The first messages; everything from outside stands between marks. */
  open(input: ReasonInput, unit: string, mark: string): ModelMessage[];
  /** What the model does not choose: which policy, whose facts. `asked`: what it did choose; this goes over it. */
  bind(tool: string, input: ReasonInput, unit: string, asked: JsonObject): JsonObject;
  /** What the model is told of a call, in lines. `before`: the calls of earlier turns, which it was told of. */
  observe(call: ToolCall, before: readonly ToolCall[]): string;
  /** Makes the draft of how it ended. */
  settle(end: LoopEnd<z.output<S>>, input: ReasonInput, ports: StagePorts): Promise<DraftParts>;
}

/** A controller as the strategy sees it. */
export type Controller = ControllerSpec<z.ZodType>;

/** Holds a controller's parts to one another; types are erased for the strategy. */
export function defineController<S extends z.ZodType>(spec: ControllerSpec<S>): Controller {
  return spec as unknown as Controller;
}
