import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { findDrift } from './drift.js';

// The folder is two levels above both src and dist.
const MIGRATIONS = new URL('../../prisma/migrations/', import.meta.url);
/** Statements that may break an older version that still runs during an upgrade. */
const REMOVES = /\b(?:drop|rename|set not null)\b/i;

export interface NewMigration {
  /** Name of the folder in `prisma/migrations`. */
  name: string;
  sql: string;
  /**
   * Whether the migration removes something. Such a migration belongs in a later release than the code that
   * no longer needs it.
   */
  removes: boolean;
}

/**
 * Writes a migration with the SQL missing from the migrations. The caller adds what the schema cannot
 * express.
 * @param serverUrl A database on a server where scratch databases may be created.
 * @param title Name of the migration, in words or with underscores.
 * @returns null if the migrations agree with the schema.
 */
export async function writeMigration(
  serverUrl: string,
  title: string,
  { now = new Date(), folder = MIGRATIONS, drift = findDrift }: WriteOptions = {},
): Promise<NewMigration | null> {
  const sql = await drift(serverUrl);
  if (sql === '') return null;
  const name = `${await stampAfter(folder, now)}_${title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_|_$/g, '')}`;
  await mkdir(new URL(`${name}/`, folder), { recursive: true });
  await writeFile(new URL(`${name}/migration.sql`, folder), `${sql}\n`);
  return { name, sql, removes: REMOVES.test(sql) };
}

interface WriteOptions {
  now?: Date;
  folder?: URL;
  drift?: (serverUrl: string) => Promise<string>;
}

// Migrations are applied in the order of their names, so a new one comes after all existing ones.
async function stampAfter(folder: URL, now: Date): Promise<string> {
  const stamp = now.toISOString().replace(/\D/g, '').slice(0, 14);
  const stamps = (await readdir(folder)).flatMap((name) => /^\d{14}(?=_)/.exec(name) ?? []);
  const last = stamps.sort().at(-1) ?? '';
  return stamp > last ? stamp : String(BigInt(last) + 1n);
}
