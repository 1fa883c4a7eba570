export * from './policy-check.js';
export * from './incident.js';
export * from './research.js';
