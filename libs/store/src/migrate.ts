import { createHash, randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { CasefileError } from '@casefile/contracts';
import pg from 'pg';
import { isConflict } from './store-errors.js';

interface Migration {
  name: string;
  sql: string;
  /** SHA-256 of the script in hex, as Prisma stores it in `_prisma_migrations`. */
  checksum: string;
}

// The folder is one level above both src and dist.
const MIGRATIONS_FOLDER = fileURLToPath(new URL('../prisma/migrations', import.meta.url));

/** Returns the migrations of this version, in order. */
export async function readMigrations(): Promise<Migration[]> {
  const entries = await readdir(MIGRATIONS_FOLDER, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  const read = async (name: string): Promise<Migration> => {
    const sql = await readFile(`${MIGRATIONS_FOLDER}/${name}/migration.sql`, 'utf8');
    return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') };
  };
  return Promise.all(names.sort().map(read));
}

/** An arbitrary lock number that no other code uses: `case` in ASCII. */
const MIGRATION_LOCK = 0x63617365;

// The same table as Prisma's own engine creates, so that Prisma's CLI can read it.
const MIGRATIONS_TABLE = `create table if not exists _prisma_migrations (
  id varchar(36) primary key, checksum varchar(64) not null, finished_at timestamptz,
  migration_name varchar(255) not null, logs text, rolled_back_at timestamptz,
  started_at timestamptz not null default now(), applied_steps_count integer not null default 0)`;

/**
 * Migrates the database to this version. Returns quickly if it is current. If several processes start
 * concurrently, one migrates and the others wait. Each migration is one transaction, so a process that dies
 * leaves no partial migration. Each waits at most 0.8 s for each lock, and then lets other statements pass.
 * A migration that builds an index `CONCURRENTLY` is this statement alone, because it cannot be a transaction.
 * If a process dies, the next one completes it.
 * @param isWanted Decides by name which migrations are applied. Default: all.
 * @returns the names of the migrations applied by this call.
 */
export async function migrate(
  databaseUrl: string,
  isWanted: (name: string) => boolean = () => true,
): Promise<string[]> {
  const client = new pg.Client({
    connectionString: databaseUrl,
    application_name: 'casefile-migrate',
    keepAlive: true,
  });
  try {
    await client.connect();
    if ((await missing(client, isWanted)).length === 0) return [];
    // A limit that is set for a role or a database is meant for the statements of services.
    await client.query('set statement_timeout = 0');
    await becomeMigrator(client);
    await client.query(MIGRATIONS_TABLE);
    const migrations = await missing(client, isWanted);
    for (const migration of migrations) await applyInTurn(client, migration);
    return migrations.map((migration) => migration.name);
  } catch (error) {
    throw hasCode(error, LACKS_RIGHT) ? lacksRight(error as pg.DatabaseError) : error;
  } finally {
    await client.end();
  }
}

/** Returns the names of the migrations that this version has and the database lacks, in order. Changes nothing. */
export async function missingMigrations(databaseUrl: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: databaseUrl, application_name: 'casefile-migrate' });
  try {
    await client.connect();
    return (await missing(client, () => true)).map(({ name }) => name);
  } finally {
    await client.end();
  }
}

const LACKS_RIGHT = '42501';

function lacksRight(cause: pg.DatabaseError): CasefileError {
  const text = `The database has to be migrated, and its user lacks a right: ${cause.message}. Run \`casefile migrate\` as the owner of the database (DATABASE_URL or DATABASE_DIRECT_URL with its name and password), and then the output of \`casefile database roles\`. Without roles, grant this user CREATE on the database and on its schema.`;
  return new CasefileError('store_error', text, { cause });
}

// A statement that waits for the lock would hold a snapshot, and building an index waits for all older ones.
async function becomeMigrator(client: pg.Client): Promise<void> {
  const tryLock = async (): Promise<boolean | undefined> => {
    const { rows } = await client.query<{ locked: boolean }>('select pg_try_advisory_lock($1) as locked', [
      MIGRATION_LOCK,
    ]);
    return rows[0]?.locked;
  };
  while (!(await tryLock())) await setTimeout(TURN_MS);
}

async function missing(client: pg.Client, isWanted: (name: string) => boolean): Promise<Migration[]> {
  const migrations = (await readMigrations()).filter(({ name }) => isWanted(name));
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

/** Time until a process asks again whether another one still migrates. */
const TURN_MS = 100;
/** Longest wait for a lock. Statements of running services that need the table wait behind the migration meanwhile. */
const LOCK_MS = 800;
/** Time until a lock is tried for again. */
const PAUSE_MS = 2_000;
/** Tries for a lock, about 15 minutes. A backup or a vacuum of a large table can hold it that long. */
const TRIES = 320;
const LOCK_NOT_AVAILABLE = '55P03';
/** Of a statement that reached `statement_timeout`, or that somebody cancelled. */
const CANCELLED = '57014';
const CONCURRENT = /^create (?:unique )?index concurrently "(\w+)"/im;

async function applyInTurn(client: pg.Client, migration: Migration): Promise<void> {
  const [, index] = CONCURRENT.exec(migration.sql) ?? [];
  let cause: unknown;
  for (let left = TRIES; left > 0; left -= 1) {
    try {
      return await (index === undefined ? apply(client, migration) : build(client, migration, index));
    } catch (error) {
      if (!hasCode(error, LOCK_NOT_AVAILABLE) && !isConflict(error)) throw error;
      cause = error;
    }
    await setTimeout(PAUSE_MS);
  }
  throw new Error(
    `migration ${migration.name}: got no lock in 15 minutes, because another session uses the table, such as a backup or a vacuum`,
    { cause },
  );
}

const hasCode = (error: unknown, code: string): boolean =>
  error instanceof pg.DatabaseError && error.code === code;

async function apply(client: pg.Client, migration: Migration): Promise<void> {
  try {
    await client.query('begin');
    await client.query(`set local lock_timeout = ${LOCK_MS}`);
    await client.query(migration.sql);
    await noteApplied(client, migration);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw error;
  }
}

// While it waits for older transactions, other statements read and write the table, so it may wait long.
async function build(client: pg.Client, migration: Migration, index: string): Promise<void> {
  const { rows } = await client.query<{ valid: boolean }>(
    'select indisvalid as valid from pg_index where indexrelid = to_regclass($1)',
    [index],
  );
  await client.query(`set statement_timeout = ${TRIES * (LOCK_MS + PAUSE_MS)}`);
  try {
    if (rows[0]?.valid === false) await client.query(`drop index concurrently "${index}"`);
    if (rows[0]?.valid !== true) await client.query(migration.sql);
  } catch (error) {
    if (!hasCode(error, CANCELLED)) throw error;
    throw new Error(
      `migration ${migration.name}: the index was not built in 15 minutes. It waits for each older transaction of this database, such as a backup: see xact_start in pg_stat_activity`,
      { cause: error },
    );
  }
  await client.query('set statement_timeout = 0');
  await noteApplied(client, migration);
}

async function noteApplied(client: pg.Client, { name, checksum }: Migration): Promise<void> {
  await client.query(
    `insert into _prisma_migrations (id, checksum, migration_name, finished_at, applied_steps_count)
     values ($1, $2, $3, now(), 1)`,
    [randomUUID(), checksum, name],
  );
}
