export { mcpSource, unconnectedMcpSource, type McpPorts } from './mcp-source.js';
export { hashOf } from './entry.js';
export { openSession } from './open-session.js';
export { wireName, type McpLimits, type McpServer } from './settings.js';
