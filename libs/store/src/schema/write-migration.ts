import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { findDrift } from './drift.js';

// Two levels up from src and from dist alike.
const MIGRATIONS = new URL('../../prisma/migrations/', import.meta.url);
/** Statements that an older version, still running during an upgrade, may not survive. */
const REMOVES = /\b(?:drop|rename|set not null)\b/i;

export interface NewMigration {
  /** The folder in `prisma/migrations`. */
  name: string;
  sql: string;
  /** Does it take something away? Such a migration is for a later release than the code that needs it no more. */
  removes: boolean;
}

/**
 * Writes a migration with what the migrations lack of the schema. The caller adds what the schema cannot express.
 * @param serverUrl A database on a server where scratch databases may be made.
 * @param title Names the migration, in words or with underscores.
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

// Migrations are applied in the order of their names: a new one comes after all that are there.
async function stampAfter(folder: URL, now: Date): Promise<string> {
  const stamp = now.toISOString().replace(/\D/g, '').slice(0, 14);
  const stamps = (await readdir(folder)).flatMap((name) => /^\d{14}(?=_)/.exec(name) ?? []);
  const last = stamps.sort().at(-1) ?? '';
  return stamp > last ? stamp : String(BigInt(last) + 1n);
}
