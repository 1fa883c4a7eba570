// Storms: alerts of one cause that are judged together.
export * from './correlation.js';
export * from './storm-alert.js';
export * from './storm-summary.js';
export * from './storm-verdict.js';
