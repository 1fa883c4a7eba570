import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

export interface Migration {
  name: string;
  sql: string;
  /** SHA-256 of the script in hex, as Prisma notes it in `_prisma_migrations`. */
  checksum: string;
}

// One level up from src and from dist alike.
const folder = fileURLToPath(new URL('../prisma/', import.meta.url));
const MIGRATIONS_FOLDER = `${folder}migrations`;

/** The migrations that come with this version, in order. */
export async function readMigrations(): Promise<Migration[]> {
  const entries = await readdir(MIGRATIONS_FOLDER, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  return Promise.all(names.sort().map(readMigration));
}

async function readMigration(name: string): Promise<Migration> {
  const sql = await readFile(`${MIGRATIONS_FOLDER}/${name}/migration.sql`, 'utf8');
  return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') };
}

/** The text of `schema.prisma`. */
export function readSchema(): Promise<string> {
  return readFile(`${folder}schema.prisma`, 'utf8');
}
