import {
  type JsonObject,
  type Later,
  type ModelMessage,
  type ToolCall,
  type TraceStep,
  z,
} from '@casefile/contracts';
import type { ThinkAloud } from '../../prompts/encourage-reasoning.js';
import type { Prompt, PromptTexts } from '../../prompts/prompt.js';
import type { StagePorts } from '../../stage-ports.js';
import type { DraftParts, ReasonInput } from '../../strategy.js';

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
  /** Why it did not finish, or had to finish early; null: it finished on its own. */
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
  /** What was noted after turns. */
  notes: { turn: number; text: string }[];
}

/** What a playbook gives a strategy that lets a model choose its tools turn by turn. */
interface ControllerSpec<S extends z.ZodType> {
  /** The prompt, with its texts for a turn without a call and for the turn before the last one. */
  prompt: Prompt<{ 'no-call': readonly []; 'finish-now': readonly [] }>;
  /** What it asks by besides: in further turns, after them, or to conclude. */
  morePrompts?: Readonly<Record<string, Prompt>>;
  /** How the model is encouraged to think aloud before it chooses tools. Absent: not at all. */
  thinkAloud?: ThinkAloud;
  /** Wire names of the tools that the model may call, in this case where that differs from case to case. */
  tools: readonly string[] | ((input: ReasonInput) => readonly string[]);
  /** The call by which the model ends the loop, and what it must say. */
  finish: { name: string; description: string; parameters: JsonObject; schema: S };
  /** The first messages; everything from outside stands between marks. */
  open(input: ReasonInput, unit: string, mark: string, prompts: PromptTexts): ModelMessage[];
  /** What the model does not choose: which policy, whose facts. `asked`: what it did choose; this goes over it. */
  bind(tool: string, input: ReasonInput, unit: string, asked: JsonObject): JsonObject;
  /**
   * Text for the model about a call, in lines. `before`: the calls of earlier turns, whose results it has; `place`: of the
   * call among all calls of the loop, from 0.
   */
  observe(call: ToolCall, before: readonly ToolCall[], input: ReasonInput, place: number): string;
  /**
   * What stands last in each turn after the first, under a prompt of its own: what was found, how many turns are left. It
   * is not kept in the conversation. Absent: nothing is added.
   */
  further?(before: TurnsBefore, input: ReasonInput, prompts: PromptTexts): { promptId: string; text: string };
  /**
   * Is told of each turn whose calls are in, before the next one is asked; what it asks models itself is charged as the
   * tokens that it returns, the same on every rendering. Its note is kept for the end: no later turn may rest on it, for
   * it may fail and come off the next time.
   * @param step of the journal, free for one call.
   */
  afterTurn?(
    turn: TurnsBefore,
    step: number,
    input: ReasonInput,
    ports: StagePorts,
  ): Promise<{ tokens: number; note: string | null }>;
  /**
   * After so many turns in a row that brought nothing new the loop ends with `no_progress`. Absent: turns that repeat
   * themselves get the same text again, up to the last one.
   */
  endsAfterBarren?: number;
  /** Does the loop end when the sender reports that the trouble is over? Absent: no. */
  endsWhenResolved?: true;
  /** Does `settle` conclude where the loop had to end? Absent: one more turn may only call `finish`. */
  settlesForced?: boolean;
  /** Makes the draft of how it ended. */
  settle(end: LoopEnd<z.output<S>>, input: ReasonInput, ports: StagePorts): Promise<DraftParts | Later>;
}

/** The turns so far. */
export interface TurnsBefore {
  /** Turns that were taken. */
  taken: number;
  /** Turns with tools that are left. */
  left: number;
  /** Every call that was made, in its order. */
  calls: readonly ToolCall[];
  trace: readonly TraceStep[];
}

/** A controller as the strategy sees it. */
export type Controller = ControllerSpec<z.ZodType>;

/** Holds a controller's parts to one another; types are erased for the strategy. */
export function defineController<S extends z.ZodType>(spec: ControllerSpec<S>): Controller {
  return spec as unknown as Controller;
}

/** Figures of a loop of turns; a playbook's options lay others over them. */
export const turnOptionsSchema = z.object({
  /** S4-03: after so many turns one last call may only finish. */
  maxIterations: z.number().int().min(1).max(50).default(10),
  /** Calls of one turn. Further ones are not made, and the model is informed. */
  maxCallsPerTurn: z.number().int().min(1).max(32).default(6),
  /** S4-33: tokens of one evaluation, input and output. */
  tokenLimit: z.number().int().min(100).default(6_000),
  /** US dollars of one evaluation. */
  costLimitUsd: z.number().positive().default(0.05),
  /** `soft` warns, `hard` ends the loop with a call that may only finish. */
  limitMode: z.enum(['soft', 'hard']).default('soft'),
  /** Tokens that end the loop whatever the mode; left out: `tokenLimit` alone counts. */
  hardTokenLimit: z.number().int().min(100).optional(),
  /** How long a turn's tools may take before what is missing counts as failed. */
  toolWaitMs: z.number().int().min(1).default(60_000),
  /** For one call of the model. */
  callTimeoutMs: z.number().int().min(1).default(60_000),
  /**
   * How long outages of the provider are waited out before one counts, from the first call of an evaluation on: the time
   * that it was parked for is counted too. Only where a run waits at all.
   */
  patienceMs: z.number().int().min(0).default(600_000),
  maxOutputTokens: z.number().int().min(100).default(1_500),
  /** After a failure of the model: leave it undecided, or let the rules decide, which is marked. S4-41. */
  fallback: z.enum(['none', 'heuristic']).default('heuristic'),
});
export type TurnOptions = z.infer<typeof turnOptionsSchema>;
