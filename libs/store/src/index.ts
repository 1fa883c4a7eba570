export * from './migrate.js';
export * from './postgres/create-postgres-store.js';
export { Database, type DatabaseOptions, type Queryable } from './postgres/database.js';
export { RowSets } from './postgres/row-set.js';
export * from './record-store.js';
export { stored } from './storable.js';
