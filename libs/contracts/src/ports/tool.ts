import type { z } from 'zod';
import type { Json, JsonObject } from '../json.js';
import type { Clock } from './clock.js';
import type { ModelRequest, ModelResponse } from './language-model.js';
import type { Logger } from './logger.js';
import type { ToolRun } from './tool-calls.js';

/**
 * Result of a tool. A tool that could not query its source throws a CasefileError instead, which becomes a
 * gap.
 */
export interface ToolFinding {
  result: Json;
  /** The source of the result: a host, a table, a list. */
  source: string;
}

/**
 * The model of a tool call. Its steps are recorded like those of a stage: a recorded answer is reused and
 * never paid again; any other step writes its intent first and is charged to the budgets of the run.
 */
export interface ToolModel {
  /** Whether a provider is available for this run. */
  readonly available: boolean;
  /**
   * A random value of the tool call. It stays the same after a crash, once a model was called. Fence marks
   * are derived from it.
   */
  readonly seed: string;
  /**
   * Makes one step. The tool numbers the steps: an equal number with an equal request is the same question.
   * `deadlineAt` (milliseconds since the epoch) ends the step with `timeout`.
   * @throws CasefileError with a reason code of the LanguageModel port, `budget_exhausted`, `circuit_open` or
   * `no_provider`.
   */
  call(step: number, request: ModelRequest, deadlineAt: number | null): Promise<ModelResponse>;
}

export interface ToolContext {
  signal: AbortSignal;
  /** The run that makes the call. Undefined: the call belongs to no run. */
  runId?: string;
  clock: Clock;
  log: Logger;
  /** Present if the call is a separate job. Undefined: the call runs inside a stage. */
  model?: ToolModel;
}

/** Limits of a tool, enforced by the queue and the runner. */
export interface ToolLimits {
  /** Timeout of one try, in milliseconds. */
  timeoutMs: number;
  /** Maximum number of tries, including the first. */
  attempts: number;
  /** Maximum number of concurrent calls in one process. */
  concurrency: number;
  /** Calls per second over all workers. Undefined: no limit. */
  perSecond?: number;
}

/**
 * A read-only way to fetch evidence. `local` tools (a table, a computation) run inside the stage that calls
 * them. `remote` tools run as separate jobs on the queue `tool.<name>`.
 */
export interface Tool {
  /** The wire name, such as `exa_search`. */
  readonly name: string;
  readonly description: string;
  readonly locality: 'local' | 'remote';
  /**
   * What a call reads beyond its arguments. `nothing`: a pure function. `database`: the database of this system, or
   * models in this process. `outside`: a service; only such a tool has a circuit. `web`: hosts that the arguments
   * name, of which one says nothing about the others.
   */
  readonly reads: 'nothing' | 'database' | 'outside' | 'web';
  /** Entity types that a plain fan-out queries this tool for. Empty: the fan-out never calls this tool. */
  readonly entityTypes: readonly string[];
  readonly args: z.ZodType;
  /**
   * The part of `args` that a model fills in (strict). The strategy sets the other arguments (which policy,
   * the facts of the case), so that no model chooses them. Default: all of `args`.
   */
  readonly asks?: z.ZodType;
  /**
   * The original JSON Schema of an external tool, shown to a model unchanged. `args` is derived from it.
   * Undefined: a built-in tool.
   */
  readonly parameters?: JsonObject;
  /**
   * Present for a tool of an external server: its results are untrusted, and secrets in them are masked.
   * Undefined: a built-in tool.
   */
  readonly outside?: {
    /**
     * Maximum size of a result that is kept whole, as JSON in bytes. Of a longer result only the size and the
     * hash are kept.
     */
    keeps: number;
  };
  readonly limits: ToolLimits;
  /** Loads what the first call would wait for. The host of the tool calls it before it reports that it is ready. */
  warm?(signal: AbortSignal): Promise<void>;
  /** @throws CasefileError `not_configured`, `timeout`, `circuit_open`, `bad_answer`, `too_large`, ... */
  run(args: JsonObject, context: ToolContext): Promise<ToolFinding>;
  /** Additional arguments from the case that the plain fan-out adds to `{ entityType, entityValue }`. */
  readonly needs?: readonly ('text' | 'receivedAt')[];
}

/** Runs the calls of tools. */
export interface ToolRunner {
  /**
   * Runs one tool call within the tool's limits. A failed call also returns a settlement, with its reason:
   * `unknown_tool`, `invalid_arguments`, `circuit_open`, `too_large`, or the tool's own. Output of an outside
   * server is masked before it is used; if masking fails, the reason is `withheld`. Never throws.
   * @param model Requests that the tool may make to a model, over all its tries.
   * @param runId The run that makes the call.
   */
  run(
    tool: string,
    args: JsonObject,
    signal: AbortSignal,
    model?: ToolModel,
    runId?: string,
  ): Promise<ToolRun>;
}
