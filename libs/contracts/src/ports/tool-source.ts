import type { FrozenTool, ToolOut } from '../artifacts/index.js';
import type { Tool, ToolLimits } from './tool.js';

/** Tools of external servers: `tools` may be used now, `out` may not, with the reason. */
export interface ToolOffers {
  tools: FrozenTool[];
  out: ToolOut[];
}

/**
 * Health of a source. `down`: `why` is the reason, for people. The tools of a source that is down are gaps;
 * the source reconnects automatically.
 */
export type SourceHealth = { state: 'ready' } | { state: 'connecting' } | { state: 'down'; why: string };

/** A source of tools: compiled in, or a server that lists its tools after connecting. */
export interface ToolSource {
  /** Name of this source, for logs and health. */
  readonly name: string;
  /**
   * Every tool that this source may ever list, by wire name, with the limits of the tool. It is known before
   * connecting, so that queues and limits exist from the start. Tools of data sources, which are added while the
   * program runs, share one entry.
   */
  readonly allowed: ReadonlyMap<string, ToolLimits>;
  /**
   * Connects, if the source needs a connection. Resolves when the first attempt is over; `health` returns its
   * result. Never rejects. Safe to call again.
   */
  connect(): Promise<void>;
  /**
   * Returns the tools listed now, each with its schema. Empty before the source is connected. A tool stays
   * listed while its source is down.
   */
  listed(): readonly Tool[];
  health(): SourceHealth;
  /**
   * Returns the tools of `allowed` that may be used now, for freezing into a run. Undefined for compiled-in
   * tools, which a run holds only by name.
   */
  offers?(): ToolOffers;
  /** Ends connections and attempts. */
  close(): Promise<void>;
}

/** All tools of a process, from all of its sources. */
export interface ToolBox {
  /** Every tool that is known from the start, by wire name, in the order of the sources. */
  readonly allowed: ReadonlyMap<string, ToolLimits>;
  /** Connects all sources concurrently. Never rejects. */
  connect(): Promise<void>;
  /**
   * Returns a tool that is listed now. null: there is no such tool, or its source has not listed
   * it yet.
   */
  named(name: string): Tool | null;
  /** Returns the offers of the sources for these tools. Compiled-in tools are in neither list. */
  offers(names: readonly string[]): ToolOffers;
  /** Returns the source of a tool and its health. null: no source may list a tool of that name. */
  sourceOf(name: string): { source: string; health: SourceHealth } | null;
  health(): { source: string; health: SourceHealth }[];
  close(): Promise<void>;
}
