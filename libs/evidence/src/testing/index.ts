export * from './local-service.js';
export * from './misbehaviour.js';
export * from './tool.conformance.js';
export * from './settings.js';
export * from './documented-answers.js';
export * from './tool-source.conformance.js';
export * from './mcp-world.js';
export * from './git-server.js';
