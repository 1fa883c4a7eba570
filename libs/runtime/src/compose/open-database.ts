import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
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
