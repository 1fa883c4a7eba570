export * from './migrate.js';
export * from './postgres/create-postgres-store.js';
