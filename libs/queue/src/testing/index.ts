export * from './inline-server.js';
export * from './queue.conformance.js';
export * from './queue-harness.js';
