import type { z } from 'zod';
import type { Json, JsonObject } from '../json.js';
import type { Clock } from './clock.js';
import type { ModelRequest, ModelResponse } from './language-model.js';
import type { Logger } from './logger.js';

/** What a tool found. It throws a CasefileError instead when it could not look: that is a gap. */
export interface ToolFinding {
  result: Json;
  /** Who was asked: a host, a table, a list. */
  source: string;
}

/**
 * The model of a tool call, on the record like a stage's: a step whose answer is on the record is read, and never paid
 * again; any other writes its intent first and is on the budgets of the run.
 */
export interface ToolModel {
  /** Is there a provider for this run at all? */
  readonly available: boolean;
  /** Drawn once for the tool call; the same after a crash once anything was asked. Marks of fences are derived from it. */
  readonly seed: string;
  /**
   * One step, numbered by the tool: the same number with the same request is the same question. `deadlineAt` (milliseconds
   * since the epoch) ends it with `timeout`. @throws CasefileError with a reason code of the LanguageModel port,
   * `budget_exhausted`, `circuit_open`, `no_provider`.
   */
  call(step: number, request: ModelRequest, deadlineAt: number | null): Promise<ModelResponse>;
}

export interface ToolContext {
  signal: AbortSignal;
  /** The run that asks. Absent: no run does. */
  runId?: string;
  clock: Clock;
  log: Logger;
  /** For a call that is a job of its own; absent for one that runs inside a stage. */
  model?: ToolModel;
}

/** How hard a tool may be used; the queue and the runner hold to it. */
export interface ToolLimits {
  /** For one try, in milliseconds. */
  timeoutMs: number;
  /** Tries in all, the first included. */
  attempts: number;
  /** Calls under way at once in one process. */
  concurrency: number;
  /** Calls a second over all workers; undefined: no limit. */
  perSecond?: number;
}

/**
 * A read-only way to fetch evidence.
 * `local` ones (a table, a computation) run inside the stage that asks; `remote` ones are jobs of
 * their own on the queue `tool.<name>`.
 */
export interface Tool {
  /** The wire name, as in the requirements (`exa_search`). */
  readonly name: string;
  readonly description: string;
  readonly locality: 'local' | 'remote';
  /** Entity types it is asked about in a plain fan-out; empty: never asked by fan-out. */
  readonly entityTypes: readonly string[];
  readonly args: z.ZodType;
  /**
   * Of `args` what a model fills in, strict; the strategy binds the rest (which policy, the facts of the case), so that no
   * model chooses it. Absent: all of `args`.
   */
  readonly asks?: z.ZodType;
  /** The arguments as a JSON Schema from outside, shown to a model unchanged; `args` was made of it. Absent: a tool of ours. */
  readonly parameters?: JsonObject;
  /** Of a server that is not ours: what it says is untrusted, and secrets in it are masked. Absent: one of ours. */
  readonly outside?: {
    /** Bytes of one result, as JSON, that are kept whole; of a longer one its size and hash are. */
    keeps: number;
  };
  readonly limits: ToolLimits;
  /** @throws CasefileError `not_configured`, `timeout`, `circuit_open`, `bad_answer`, `too_large`, ... */
  run(args: JsonObject, context: ToolContext): Promise<ToolFinding>;
  /** Extra arguments from the case that the plain fan-out adds to `{ entityType, entityValue }`. */
  readonly needs?: readonly ('text' | 'receivedAt')[];
}
