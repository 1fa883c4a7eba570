import {
  type JsonObject,
  type Later,
  type ModelMessage,
  type ToolCall,
  type TraceStep,
  z,
} from '@casefile/contracts';
import { toolWaitOption } from '../../options.js';
import type { ThinkAloud, DraftParts, ReasonInput } from '../../strategy.js';
import type { Prompt, PromptTexts } from '../../prompts/prompt.js';
import type { StagePorts } from '../../stage-ports.js';
import type { Guide, TurnsBefore } from './guide.js';

/** Cost of one evaluation so far. */
export interface EvaluationCost {
  tokens: { input: number; output: number };
  /** US dollars at list price; null: the price of a call is not known. */
  costUsd: number | null;
}

/** Result of a loop of turns. */
export interface LoopEnd<F> {
  /** Arguments of the model's finish call; null: it did not finish. */
  finished: F | null;
  /** Reason why it did not finish or had to finish early; null: it finished on its own. */
  reasonCode: string | null;
  /**
   * Error code of the model call after which the loop gave up (`circuit_open`, `timeout`, ...); null: none
   * failed.
   */
  cause: string | null;
  trace: TraceStep[];
  /** All calls in order, without repeats. */
  calls: ToolCall[];
  model: string | null;
  spent: EvaluationCost;
  /** Number of turns, including the finishing one. */
  iterations: number;
  remarks: string[];
  /** Notes made after turns. */
  notes: { turn: number; text: string }[];
}

/** A playbook's part of a strategy that lets a model choose its tools turn by turn. */
interface ControllerSpec<S extends z.ZodType> {
  /** The prompt, with its texts for a turn without a call and for the turn before the last one. */
  prompt: Prompt<{ 'no-call': readonly []; 'finish-now': readonly [] }>;
  /** Further prompts: for later turns, after turns, or to conclude. */
  morePrompts?: Readonly<Record<string, Prompt>>;
  /** Prompt that makes the model think aloud before it chooses tools. Default: none. */
  thinkAloud?: ThinkAloud;
  /** Wire names of the tools that the model may call; a function if they differ per case. */
  tools: readonly string[] | ((input: ReasonInput) => readonly string[]);
  /** The call by which the model ends the loop, and the schema of its arguments. */
  finish: { name: string; description: string; parameters: JsonObject; schema: S };
  /** Rule over the look-ups that the model may make. Default: it may make each. */
  guide?: Guide;
  /** Builds the first messages. Outside text stands between marks. */
  open(input: ReasonInput, unit: string, mark: string, prompts: PromptTexts): ModelMessage[];
  /**
   * Returns arguments that the model does not choose, such as policy and facts. They override `args`, the
   * model's own.
   */
  bind(tool: string, input: ReasonInput, unit: string, args: JsonObject): JsonObject;
  /**
   * Returns the text about a call for the model, in lines. `before` are the calls of earlier turns, whose
   * results it has. `place` is the index of the call among all calls of the loop, from 0.
   */
  observe(call: ToolCall, before: readonly ToolCall[], input: ReasonInput, place: number): string;
  /**
   * Text at the end of each turn after the first, from a separate prompt: results so far, remaining turns. It
   * is not kept in the conversation. Default: none.
   */
  further?(before: TurnsBefore, input: ReasonInput, prompts: PromptTexts): { promptId: string; text: string };
  /**
   * Called after the results of each turn, before the next turn. Its own model calls are charged as the
   * returned tokens, the same on every rendering. Its note is kept for the end. No later turn may depend on
   * the note, because it may fail in one rendering and succeed in the next.
   * @param step of the journal, free for one call.
   */
  afterTurn?(
    turn: TurnsBefore,
    step: number,
    input: ReasonInput,
    ports: StagePorts,
  ): Promise<{ tokens: number; note: string | null }>;
  /**
   * Consecutive turns without new information after which the loop ends with `no_progress`. Default: repeated
   * turns get the same text again, up to the last turn.
   */
  endsAfterBarren?: number;
  /** Whether the loop ends when the sender reports that the alert is resolved. Default: no. */
  endsWhenResolved?: true;
  /**
   * Whether `settle` concludes when the loop must end. Default: one more turn, in which only `finish` is
   * allowed.
   */
  settlesForced?: boolean;
  /** Makes the draft from the result of the loop. */
  settle(end: LoopEnd<z.output<S>>, input: ReasonInput, ports: StagePorts): Promise<DraftParts | Later>;
}

/** A controller as the strategy sees it. */
export type Controller = ControllerSpec<z.ZodType>;

/** Checks that the parts of a controller match; types are erased for the strategy. */
export function defineController<S extends z.ZodType>(spec: ControllerSpec<S>): Controller {
  return spec as unknown as Controller;
}

/** Limits of a loop of turns; a playbook's options override them. */
export const turnOptionsSchema = z.object({
  /** Number of turns after which only one more call, `finish`, is allowed. */
  maxIterations: z.number().int().min(1).max(50).default(10),
  /** Calls of one turn. Further ones are not made, and the model is informed. */
  maxCallsPerTurn: z.number().int().min(1).max(32).default(6),
  /** Tokens of one evaluation, input and output. */
  tokenLimit: z.number().int().min(100).default(6_000),
  /** US dollars of one evaluation. */
  costLimitUsd: z.number().positive().default(0.05),
  /** `soft` warns, `hard` ends the loop with a call that may only finish. */
  limitMode: z.enum(['soft', 'hard']).default('soft'),
  /** Tokens that end the loop in any mode. Default: only `tokenLimit` counts. */
  hardTokenLimit: z.number().int().min(100).optional(),
  /** Time limit of the tools of a turn, and of those before the first turn; missing results then count as failed. */
  toolWaitMs: toolWaitOption(60_000),
  /** Time limit of one model call. */
  callTimeoutMs: z.number().int().min(1).default(60_000),
  /**
   * Time in milliseconds, from the first call of an evaluation, during which the run waits for an unavailable
   * provider. Parked time counts too. Used only for runs that wait.
   */
  patienceMs: z.number().int().min(0).default(600_000),
  maxOutputTokens: z.number().int().min(100).default(1_500),
  /**
   * After a failure of the model, `none` leaves the result undecided and `heuristic` lets the rules decide,
   * which the verdict states.
   */
  fallback: z.enum(['none', 'heuristic']).default('heuristic'),
});
export type TurnOptions = z.infer<typeof turnOptionsSchema>;
