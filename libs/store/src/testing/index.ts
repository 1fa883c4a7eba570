export { casesStatement, hasWords } from '../record/list-cases.js';
export * from './empty-database.js';
export * from './older-transactions-over.js';
export * from './pass-time.js';
export * from './past-months.js';
export * from './store-bench.js';
export * from './test-database.js';
export * from './test-record.js';
