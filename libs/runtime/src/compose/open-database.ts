import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { InvalidInput, type Logger } from '@casefile/contracts';
import { createDatabaseIfMissing, startEmbeddedPostgres } from '@casefile/embedded';
import { migrate, missingMigrations, proveSessions } from '@casefile/store';
import type { Config } from '../config/read-config.js';

const EMBEDDED_DATABASE = 'casefile';

/** An embedded database that this process started or attached to, and restarts if it dies. */
export interface OwnDatabase {
  /** Milliseconds for which the server has not been running; 0 while it runs. */
  goneForMs(): number;
}

export interface OpenDatabase {
  url: string;
  /** Address of the server itself, if `url` leads to a pooler. */
  directUrl?: string;
  /** Set only for the embedded database. */
  own?: OwnDatabase;
  /** Detaches from the embedded Postgres, which ends with the last process that uses it. */
  close(): Promise<void>;
}

/** Describes the database of a configuration for people, without user and password. */
export function databaseInWords({ databaseUrl, dataDir }: Pick<Config, 'databaseUrl' | 'dataDir'>): string {
  if (databaseUrl === null)
    return `the embedded database "${EMBEDDED_DATABASE}" in ${resolve(dataDir, 'postgres')}`;
  if (!URL.canParse(databaseUrl)) return 'the database that DATABASE_URL names';
  const { hostname, port, pathname, searchParams } = new URL(databaseUrl);
  const server = searchParams.get('host') ?? (hostname || 'localhost');
  const at = port === '' ? server : `${server}:${port}`;
  return `the database "${decodeURIComponent(pathname.slice(1))}" at ${at}`;
}

/**
 * Opens and migrates the database of a configuration: the named one, or the embedded one in its data folder.
 */
export async function openDatabase(
  config: Pick<Config, 'databaseUrl' | 'dataDir'> & Partial<Pick<Config, 'directUrl'>>,
  log: Logger,
): Promise<OpenDatabase> {
  if (config.databaseUrl !== null) {
    const { databaseUrl, directUrl } = config;
    for (const statement of await proveSessions({ databaseUrl, directUrl }))
      log.warn({ statement }, 'the user of the pooler lacks a setting: statements can be slow or fail');
    await migrate(directUrl ?? databaseUrl);
    return { url: databaseUrl, ...(directUrl && { directUrl }), close: () => Promise.resolve() };
  }
  await mkdir(config.dataDir, { recursive: true });
  const postgres = await startEmbeddedPostgres({ dataDir: join(config.dataDir, 'postgres'), log });
  try {
    const url = postgres.url(EMBEDDED_DATABASE);
    await createDatabaseIfMissing(postgres.url('postgres'), EMBEDDED_DATABASE);
    await migrate(url);
    return { url, own: postgres, close: () => postgres.stop() };
  } catch (error) {
    await postgres.stop();
    throw error;
  }
}

/**
 * Migrates the database that the configuration names. @param isDry true: only reads what is missing.
 * @returns the names of the missing migrations, and whether they were applied.
 * @throws InvalidInput if the configuration names no database: a start migrates the embedded one.
 */
export async function migrateRecord(
  { databaseUrl, directUrl }: Pick<Config, 'databaseUrl' | 'directUrl'>,
  isDry: boolean,
): Promise<{ missing: string[]; isDone: boolean }> {
  if (databaseUrl === null)
    throw new InvalidInput(
      [
        {
          path: 'DATABASE_URL',
          message: 'expected postgres://...; the embedded database is migrated at each start',
        },
      ],
      'configuration',
    );
  const url = directUrl ?? databaseUrl;
  if (isDry) return { missing: await missingMigrations(url), isDone: false };
  return { missing: await migrate(url), isDone: true };
}
