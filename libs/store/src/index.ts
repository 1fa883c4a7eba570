export { actingAs } from './acting.js';
export { migrate, missingMigrations, readMigrations } from './migrate.js';
export { proveSessions, type DatabaseAddresses } from './prove-sessions.js';
export * from './create-postgres-store.js';
export { Database, type DatabaseOptions, type Queryable } from './database.js';
export * from './columns.js';
export { rowSet, WithClause, type RowIn, type RowSet } from './row-set.js';
export { proveRights } from './roles/prove-rights.js';
export { rolesScript, type RoleNames } from './roles/roles-script.js';
