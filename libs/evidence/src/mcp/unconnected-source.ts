import type { ToolSource } from '@casefile/contracts';
import { allowedTools, type McpServer } from './settings.js';

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
