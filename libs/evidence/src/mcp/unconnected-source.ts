import type { ToolSource } from '@casefile/contracts';
import { allowedOf, type McpServer } from './settings.js';

/** A server whose tools are known by name here, and that another process connects to. */
export function unconnectedMcpSource(server: McpServer): ToolSource {
  return {
    name: server.name,
    allowed: allowedOf(server),
    connect: async () => undefined,
    listed: () => [],
    health: () => ({ state: 'connecting' }),
    close: async () => undefined,
  };
}
