export { actingAs } from './acting.js';
export { migrate } from './migrate.js';
export * from './create-postgres-store.js';
export { Database, type DatabaseOptions, type Queryable } from './database.js';
export * from './columns.js';
export { rowSet, WithClause, type RowIn, type RowSet } from './row-set.js';
