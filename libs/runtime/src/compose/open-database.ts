import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Logger } from '@casefile/contracts';
import { createDatabaseIfMissing, startEmbeddedPostgres } from '@casefile/embedded';
import { migrate } from '@casefile/store';
import type { Config } from '../config/read-config.js';

const EMBEDDED_DATABASE = 'casefile';

/** A database that this process started or attached to, and starts again when it dies. */
export interface OwnDatabase {
  /** For how long its server has not been running, in milliseconds; 0 while it runs. */
  goneForMs(): number;
}

export interface OpenDatabase {
  url: string;
  /** Only of the embedded one. */
  own?: OwnDatabase;
  /** Leaves the embedded Postgres, which ends with the last process that uses it. */
  close(): Promise<void>;
}

/** Names the database of a configuration, without user and password: for people who have to know which one is used. */
export function databaseInWords({ databaseUrl, dataDir }: Pick<Config, 'databaseUrl' | 'dataDir'>): string {
  if (databaseUrl === null)
    return `the embedded database "${EMBEDDED_DATABASE}" in ${resolve(dataDir, 'postgres')}`;
  if (!URL.canParse(databaseUrl)) return 'the database that DATABASE_URL names';
  const { hostname, port, pathname, searchParams } = new URL(databaseUrl);
  const server = searchParams.get('host') ?? (hostname || 'localhost');
  const at = port === '' ? server : `${server}:${port}`;
  return `the database "${decodeURIComponent(pathname.slice(1))}" at ${at}`;
}

/** The database of a configuration, migrated: the one it names, or the embedded one in its data folder. */
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
