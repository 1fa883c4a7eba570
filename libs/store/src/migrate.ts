import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { readMigrations, type Migration } from './migrations.js';

/** Any fixed number that nothing else locks: `case` in ASCII. */
const MIGRATION_LOCK = 0x63617365;

// As Prisma's own engine makes it, so that the ordinary CLI can read what was applied.
const MIGRATIONS_TABLE = `create table if not exists _prisma_migrations (
  id varchar(36) primary key, checksum varchar(64) not null, finished_at timestamptz,
  migration_name varchar(255) not null, logs text, rolled_back_at timestamptz,
  started_at timestamptz not null default now(), applied_steps_count integer not null default 0)`;

/**
 * Brings the database up to this version. Does nothing, and quickly, when it is current; of several
 * processes that start at once one migrates and the others wait for it. Each migration is one
 * transaction: a process that dies in the middle leaves nothing half done.
 * @returns The names of the migrations that were applied by this call.
 */
export async function migrate(databaseUrl: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: databaseUrl, application_name: 'casefile-migrate' });
  await client.connect();
  try {
    if ((await missing(client)).length === 0) return [];
    await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
    await client.query(MIGRATIONS_TABLE);
    const migrations = await missing(client);
    for (const migration of migrations) await apply(client, migration);
    return migrations.map((migration) => migration.name);
  } finally {
    await client.end();
  }
}

async function missing(client: pg.Client): Promise<Migration[]> {
  const migrations = await readMigrations();
  const table = await client.query<{ there: boolean }>(
    `select to_regclass('_prisma_migrations') is not null as there`,
  );
  if (table.rows[0]?.there !== true) return migrations;
  const applied = await client.query<{ name: string }>(
    'select migration_name as name from _prisma_migrations where finished_at is not null and rolled_back_at is null',
  );
  const names = new Set(applied.rows.map((row) => row.name));
  return migrations.filter((migration) => !names.has(migration.name));
}

async function apply(client: pg.Client, migration: Migration): Promise<void> {
  try {
    await client.query('begin');
    await client.query(migration.sql);
    await client.query(
      `insert into _prisma_migrations (id, checksum, migration_name, finished_at, applied_steps_count)
       values ($1, $2, $3, now(), 1)`,
      [randomUUID(), migration.checksum, migration.name],
    );
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw error;
  }
}

/** The same server and rights, another database. Parameters (`?host=/folder`) stay. */
export function onDatabase(databaseUrl: string, name: string): string {
  return databaseUrl.replace(/^(\w+:\/\/[^/?]*)(\/[^?]*)?/, `$1/${name}`);
}
