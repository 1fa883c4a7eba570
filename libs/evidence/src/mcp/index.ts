export { mcpSource, type McpPorts } from './mcp-source.js';
export { unconnectedMcpSource } from './unconnected-source.js';
export { entryHash } from './entry.js';
export { openSession } from './open-session.js';
export type { SessionPorts } from './session.js';
export { wireName, type McpLimits, type McpServer } from './settings.js';
