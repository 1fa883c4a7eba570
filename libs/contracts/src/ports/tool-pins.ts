import type { JsonObject } from '../json.js';
import type { SourceHealth } from './tool-source.js';

/** One tool as its server lists it. */
export interface ListedTool {
  /** Its name at the server. */
  tool: string;
  /** SHA-256 of the entry: 64 hexadecimal digits. */
  hash: string;
  /** Everything that the hash is made of. */
  entry: JsonObject;
}

/** One tool as the record has it: what its server listed last, and what of it a person approved. */
export interface PinnedTool {
  tool: string;
  seen: { hash: string; entry: JsonObject; at: string };
  /** Does the server list it no longer? */
  gone: boolean;
  /** null: nobody approved anything of it. */
  approved: { hash: string; entry: JsonObject; at: string; by: string } | null;
}

/** A server as the process that is connected to it noted it last. */
export interface PinnedServer {
  server: string;
  health: SourceHealth;
  /** When that began. */
  changedAt: string;
  /** When it was looked at last. */
  seenAt: string;
  tools: PinnedTool[];
}

/** How calls of a tool have gone lately. */
export interface ToolUse {
  tool: string;
  calls: number;
  failed: number;
  lastAt: string | null;
  lastFailure: { reasonCode: string; message: string; at: string } | null;
}

/** Which entries of outside servers' tool lists a person has approved. S2-42. */
export interface ToolPins {
  /** By name of the tool, the hash of the entry that may be used. @throws where it cannot be read: then none may be. */
  approved(server: string): Promise<ReadonlyMap<string, string>>;
  /** Notes how a server is doing and what it lists now, for people to compare and approve; null: it lists nothing, being down. */
  noteServer(server: string, health: SourceHealth, listed: readonly ListedTool[] | null): Promise<void>;
  /** Every server that was ever connected to, by name. */
  servers(): Promise<PinnedServer[]>;
  /**
   * Approves the entry that a server listed last, where it is still the one of this hash, and tells the event log.
   * @returns the tool as it stands now; null: the server lists no such tool, or it has changed since it was looked at.
   */
  approve(server: string, tool: string, hash: string, by: string): Promise<PinnedTool | null>;
  /** How the newest calls of these tools have gone, by wire name; tools without a call are not in it. */
  use(names: readonly string[]): Promise<ToolUse[]>;
}
