export * from './policy-check.js';
export * from './incident.js';
export * from './removed-claims.js';
export * from './research.js';
