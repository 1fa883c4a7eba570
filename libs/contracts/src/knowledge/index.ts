export * from './pattern-search.js';
export * from './policies.js';
export * from './scam-reports.js';
export * from './text-signals.js';
