import type { ToolLimits, ToolSource } from '@casefile/contracts';
import type { HttpServer, StdioServer } from './transports.js';

/** Time limits of a server in milliseconds, and size limits of its messages. */
export interface McpLimits {
  connectMs: number;
  listMs: number;
  /** Time during which a list counts as current for a call, unless the server reports a change. */
  listFreshMs: number;
  /** Time limit of one call without a sign of progress. */
  callMs: number;
  /** Time limit of one whole call. */
  callTotalMs: number;
  /** Bytes of one result that are kept unshortened. */
  maxResultBytes: number;
  /** Interval between checks of a server's health and list. */
  healthMs: number;
}

/** One MCP server in the configuration. */
export interface McpServer {
  name: string;
  via: StdioServer | HttpServer;
  /** Server-side names of the tools that may be used. Other listed tools are never offered. */
  allow: readonly string[];
  /** Allowed tools without which no case is closed automatically. */
  required: readonly string[];
  /** Hashes of entries approved by configuration, by name of the tool. */
  pins: Readonly<Record<string, string>>;
  limits: McpLimits;
  /** Limits of each of its tools. */
  use: ToolLimits;
}

/** Returns every tool that a server may list, by wire name, with its limits. */
export function allowedTools(server: McpServer): ReadonlyMap<string, ToolLimits> {
  return new Map(server.allow.map((tool) => [wireName(server.name, tool), server.use]));
}

const UNFIT = /[^A-Za-z0-9_-]/g;

/**
 * Returns the name of a server's tool within Casefile: `server__tool`, in characters that every model
 * provider accepts.
 */
export function wireName(server: string, tool: string): string {
  return `${server}__${tool.replace(UNFIT, '_')}`;
}

/** Source of a server whose tools are known by name in this process but connected in another process. */
export function unconnectedMcpSource(server: McpServer): ToolSource {
  return {
    name: server.name,
    allowed: allowedTools(server),
    connect: async () => undefined,
    listed: () => [],
    health: () => ({ state: 'connecting' }),
    close: async () => undefined,
  };
}
