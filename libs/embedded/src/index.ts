export { createDatabaseIfMissing } from './create-database.js';
export type { EmbeddedPostgres } from './embedded-postgres.js';
export { startEmbeddedPostgres, type EmbeddedPostgresOptions } from './start-embedded-postgres.js';
