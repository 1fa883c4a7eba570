import type { ToolLimits } from '@casefile/contracts';
import type { HttpServer } from './http-transport.js';
import type { StdioServer } from './stdio-transport.js';

/** How long a server may take, in milliseconds, and how much it may say. */
export interface McpLimits {
  connectMs: number;
  listMs: number;
  /** For so long a list counts as current at a call, unless the server says that it changed. */
  listFreshMs: number;
  /** For one call without a sign of progress. */
  callMs: number;
  /** For one call in all. */
  callTotalMs: number;
  /** Bytes of one result that are kept whole. */
  maxResultBytes: number;
  /** Between two looks at how it is doing and what it lists. */
  healthMs: number;
}

/** One MCP server as the configuration has it. */
export interface McpServer {
  name: string;
  via: StdioServer | HttpServer;
  /** Names at the server of the tools that may be used; whatever else it lists is offered to nobody. */
  allow: readonly string[];
  /** Of those: without them no case is closed by itself. */
  required: readonly string[];
  /** Hashes of entries that are approved by configuration, by name of the tool. */
  pins: Readonly<Record<string, string>>;
  limits: McpLimits;
  /** Of each of its tools. */
  use: ToolLimits;
}

/** Every tool that a server may list, by wire name, with its limits. */
export function allowedOf(server: McpServer): ReadonlyMap<string, ToolLimits> {
  return new Map(server.allow.map((tool) => [wireName(server.name, tool), server.use]));
}

const UNFIT = /[^A-Za-z0-9_-]/g;

/** The name of a server's tool in all of Casefile: `server__tool`, of what every provider of models takes. S2-42. */
export function wireName(server: string, tool: string): string {
  return `${server}__${tool.replace(UNFIT, '_')}`;
}
