import type { JsonObject } from './json.js';
import type { AskedSignal } from './signal.js';
import type { VerdictEffect } from './ports/engagement-sessions.js';

/** One tool call that a stage requests. The tool's own schema validates `args` before the call runs. */
export interface ToolRequest {
  tool: string;
  args: JsonObject;
}

/** Result of a stage, a plain value. `done`, `revise` and `search` append an artifact. */
export type Outcome<A> = Done<A> | Revise<A> | Search<A> | Wait | Later | Stop;

export interface Done<A> {
  kind: 'done';
  artifact: A;
  /** Opens these units. Each goes through the flow separately from the next stage on. */
  units?: string[];
  /** Side effects of the verdict, if it may leave the system. */
  effects?: VerdictEffect[];
}

/** Appends the artifact and opens the next round at `reason`. */
export interface Revise<A> {
  kind: 'revise';
  artifact: A;
}

/** Appends the artifact and opens the next round at `collect`. The queries are in the artifact. */
export interface Search<A> {
  kind: 'search';
  artifact: A;
}

/**
 * Suspends the unit until the tool calls of `step` or the people's answer have arrived, for at most
 * `timeoutMs`.
 */
export interface Wait {
  kind: 'wait';
  step: number;
  calls: ToolRequest[];
  signal?: AskedSignal;
  timeoutMs: number;
}

/** Retries the stage after `delayMs`. Not counted as a failure. */
export interface Later {
  kind: 'later';
  delayMs: number;
  reasonCode: string;
}

/** Stops the run for good, with a reason code. */
export interface Stop {
  kind: 'stop';
  reasonCode: string;
  message: string;
}

export const done = <A>(artifact: A, units?: string[]): Done<A> =>
  units === undefined ? { kind: 'done', artifact } : { kind: 'done', artifact, units };
export const revise = <A>(artifact: A): Revise<A> => ({ kind: 'revise', artifact });
export const search = <A>(artifact: A): Search<A> => ({ kind: 'search', artifact });
export const wait = (step: number, calls: ToolRequest[], timeoutMs: number): Wait => ({
  kind: 'wait',
  step,
  calls,
  timeoutMs,
});
/** Waits for people to choose an option. */
export const waitForSignal = (step: number, signal: AskedSignal, timeoutMs: number): Wait => ({
  kind: 'wait',
  step,
  calls: [],
  signal,
  timeoutMs,
});
export const later = (delayMs: number, reasonCode: string): Later => ({ kind: 'later', delayMs, reasonCode });
export const stop = (reasonCode: string, message: string): Stop => ({ kind: 'stop', reasonCode, message });
