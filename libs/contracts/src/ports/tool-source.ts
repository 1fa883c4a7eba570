import type { FrozenTool, ToolOut } from '../artifacts/index.js';
import type { Tool, ToolLimits } from './tool.js';

/** Tools of outside servers: those that may be used now, and those that may not, with the reason. */
export interface ToolOffers {
  tools: FrozenTool[];
  out: ToolOut[];
}

/** How a source is doing; `down`: why, for people. Tools of a source that is down are gaps, and it tries to come back by itself. */
export type SourceHealth = { state: 'ready' } | { state: 'connecting' } | { state: 'down'; why: string };

/** Where tools come from: compiled in, or a server that lists its own once it is connected. */
export interface ToolSource {
  /** Of this source, for logs and health. */
  readonly name: string;
  /**
   * Every tool that it may ever list, by wire name, and how hard it may be used: known before it is connected, so that queues
   * and limits are there from the start. What it lists besides is not offered to anybody.
   */
  readonly allowed: ReadonlyMap<string, ToolLimits>;
  /**
   * Connects, where that is needed. Resolves when the first attempt is over, whatever came of it: `health` tells. Never
   * rejects; safe to call again.
   */
  connect(): Promise<void>;
  /** What it lists now, each with its schema; none before it was connected. A tool stays listed while its source is down. */
  listed(): readonly Tool[];
  health(): SourceHealth;
  /** Which of `allowed` may be used now, for a run to be frozen with. Absent: the program's own, which a run has by name alone. */
  offers?(): ToolOffers;
  /** Ends connections and attempts. */
  close(): Promise<void>;
}

/** All tools of a process, over all of their sources. */
export interface ToolBox {
  /** Every tool that there may be, by wire name, in the order of the sources. */
  readonly allowed: ReadonlyMap<string, ToolLimits>;
  /** Connects all sources, side by side. Never rejects. */
  connect(): Promise<void>;
  /** A tool that is allowed and listed now; null: there is none, or its source has not listed it yet. */
  named(name: string): Tool | null;
  /** What the sources offer of these tools; the program's own are in neither list. */
  offers(names: readonly string[]): ToolOffers;
  /** How the source of a tool is doing; null: no source may list a tool of that name. */
  sourceOf(name: string): { source: string; health: SourceHealth } | null;
  health(): { source: string; health: SourceHealth }[];
  close(): Promise<void>;
}
