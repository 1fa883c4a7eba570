import { join } from 'node:path';
import { silentLogger } from '@casefile/contracts';
import { temporaryFolder } from '@casefile/contracts/testing';
import { startEmbeddedPostgres } from '@casefile/embedded';

/**
 * Does a long run on a Postgres of its own, which is stopped when it is over, however it ends: also when the tool is told
 * to stop. Ends the process.
 * @param work Told the server and a folder that goes with it; answers whether the run came to what it should.
 */
export async function onPrivatePostgres(
  work: (postgres: Awaited<ReturnType<typeof startEmbeddedPostgres>>, dir: string) => Promise<boolean>,
): Promise<never> {
  const dir = temporaryFolder('run');
  const postgres = await startEmbeddedPostgres({ dataDir: join(dir, 'postgres'), log: silentLogger });
  const stop = (): Promise<void> => postgres.stop();
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => void stop().finally(() => process.exit(130)));
  let isGood = false;
  try {
    isGood = await work(postgres, dir);
  } catch (error) {
    console.error(error);
  } finally {
    await stop();
  }
  process.exit(isGood ? 0 : 1);
}
