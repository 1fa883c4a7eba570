export * from './memory/create-memory-store.js';
export * from './migrate.js';
export * from './patterns/embed-patterns.js';
export * from './patterns/pattern-search.js';
export * from './postgres/create-postgres-store.js';
export * from './record-store.js';
