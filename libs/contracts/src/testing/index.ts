export * from './builders.js';
export * from './in-process-runner.js';
export * from './planted-secrets.js';
