import { join } from 'node:path';
import { silentLogger } from '@casefile/contracts';
import { startEmbeddedPostgres } from '@casefile/embedded';

/** Ends the embedded Postgres of a data folder that killed processes left behind: joins it as its last user, and leaves. */
export async function endDatabase(dataFolder: string): Promise<void> {
  const postgres = await startEmbeddedPostgres({ dataDir: join(dataFolder, 'postgres'), log: silentLogger });
  await postgres.stop();
}
