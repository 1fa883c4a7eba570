import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Logger } from '@casefile/contracts';
import { createDatabaseIfMissing, startEmbeddedPostgres } from '@casefile/embedded';
import { migrate } from '@casefile/store';
import type { Config } from '../config/read-config.js';

const EMBEDDED_DATABASE = 'casefile';

/** An embedded database that this process started or attached to, and restarts if it dies. */
export interface OwnDatabase {
  /** Milliseconds for which the server has not been running; 0 while it runs. */
  goneForMs(): number;
}

export interface OpenDatabase {
  url: string;
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
  config: Pick<Config, 'databaseUrl' | 'dataDir'>,
  log: Logger,
): Promise<OpenDatabase> {
  if (config.databaseUrl !== null) {
    await migrate(config.databaseUrl);
    return { url: config.databaseUrl, close: () => Promise.resolve() };
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
