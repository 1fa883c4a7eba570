export * from './queue.conformance.js';
