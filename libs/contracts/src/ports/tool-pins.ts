import type { JsonObject } from '../json.js';
import type { SourceHealth } from './tool-source.js';

/** One tool as its server lists it. */
export interface ListedTool {
  /** Its name at the server. */
  tool: string;
  /** SHA-256 of the entry: 64 hexadecimal digits. */
  hash: string;
  /** The entry that the hash is computed from. */
  entry: JsonObject;
}

/** One tool on the record: the entry that its server listed last, and the entry that a reviewer approved. */
export interface PinnedTool {
  tool: string;
  seen: { hash: string; entry: JsonObject; at: string };
  /** Whether the server no longer lists the tool. */
  gone: boolean;
  /** The approved entry. null: no reviewer has approved one. */
  approved: { hash: string; entry: JsonObject; at: string; by: string } | null;
}

/** The latest state of a server, as the connected process recorded it. */
export interface PinnedServer {
  server: string;
  health: SourceHealth;
  /** Time at which this health state began. */
  changedAt: string;
  /** Time of the last check. */
  seenAt: string;
  tools: PinnedTool[];
}

/** Recent calls of a tool. */
export interface ToolUse {
  tool: string;
  calls: number;
  failed: number;
  lastAt: string | null;
  lastFailure: { reasonCode: string; message: string; at: string } | null;
}

/** Approvals of the entries in the tool lists of external servers. */
export interface ToolPins {
  /**
   * Returns the approved hash per tool name.
   * @throws if the approvals cannot be read. No tool may be used then.
   */
  approved(server: string): Promise<ReadonlyMap<string, string>>;
  /**
   * Records the health of a server and the tools it lists now, for reviewers to compare and approve. null:
   * the server is down and lists nothing.
   */
  noteServer(server: string, health: SourceHealth, listed: readonly ListedTool[] | null): Promise<void>;
  /** Returns every server that was ever connected, by name. */
  servers(): Promise<PinnedServer[]>;
  /**
   * Approves the entry that a server listed last, if its hash is still this one, and logs the approval.
   * @returns the tool in its present state. null: the server lists no such tool, or the tool has changed
   * since the review.
   */
  approve(server: string, tool: string, hash: string, by: string): Promise<PinnedTool | null>;
  /** Returns the recent calls of these tools, by wire name. Tools without a call are not included. */
  use(names: readonly string[]): Promise<ToolUse[]>;
}
