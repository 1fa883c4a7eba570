export * from './pass-time.js';
export * from './test-database.js';
