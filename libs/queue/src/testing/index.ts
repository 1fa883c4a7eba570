export * from './queue.conformance.js';
export * from './queue-harness.js';
