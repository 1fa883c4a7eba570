import type { JsonObject } from './json.js';
import type { AskedSignal } from './signal.js';
import type { VerdictEffect } from './ports/engagement-sessions.js';

/** One use of a tool a stage asks for. `args` are validated by the tool's own schema before it runs. */
export interface ToolRequest {
  tool: string;
  args: JsonObject;
}

/** How a stage ends: a plain value. A stage that appends does so in `done`, `revise` and `search`. */
export type Outcome<A> = Done<A> | Revise<A> | Search<A> | Wait | Later | Stop;

export interface Done<A> {
  kind: 'done';
  artifact: A;
  /** Opens these units: each goes through the flow by itself from the next stage on. */
  units?: string[];
  /** What the verdict does beyond being said, where it may leave the system. */
  effects?: VerdictEffect[];
}

/** Append, and open the next round at `reason`. */
export interface Revise<A> {
  kind: 'revise';
  artifact: A;
}

/** Append, and open the next round at `collect`; the queries are in the artifact. */
export interface Search<A> {
  kind: 'search';
  artifact: A;
}

/** Suspended until the tool calls of `step`, or the answer to what it asks people, are in; at most `timeoutMs`. */
export interface Wait {
  kind: 'wait';
  step: number;
  calls: ToolRequest[];
  signal?: AskedSignal;
  timeoutMs: number;
}

/** Try again after `delayMs`; not counted as a failure. */
export interface Later {
  kind: 'later';
  delayMs: number;
  reasonCode: string;
}

/** For good, with a reason code. */
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
/** Waits for what people choose. */
export const waitForSignal = (step: number, signal: AskedSignal, timeoutMs: number): Wait => ({
  kind: 'wait',
  step,
  calls: [],
  signal,
  timeoutMs,
});
export const later = (delayMs: number, reasonCode: string): Later => ({ kind: 'later', delayMs, reasonCode });
export const stop = (reasonCode: string, message: string): Stop => ({ kind: 'stop', reasonCode, message });
