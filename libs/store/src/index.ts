export { migrate } from './migrate.js';
export * from './create-postgres-store.js';
export { Database, type DatabaseOptions, type Queryable } from './database.js';
export { RowSets } from './row-set.js';
