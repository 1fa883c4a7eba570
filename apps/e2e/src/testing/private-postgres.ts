import { join } from 'node:path';
import { silentLogger } from '@casefile/contracts';
import { temporaryFolder } from '@casefile/contracts/testing';
import { startEmbeddedPostgres } from '@casefile/embedded';

/** Interval in milliseconds of a timer that only keeps the process alive. */
const ALIVE_MS = 60_000;

/**
 * Runs a program on a private Postgres and ends the process. Postgres stops in any case, also on SIGINT or
 * SIGTERM.
 * @param work Receives the server and a temporary folder. Returns whether the run succeeded.
 */
export async function onPrivatePostgres(
  work: (postgres: Awaited<ReturnType<typeof startEmbeddedPostgres>>, dir: string) => Promise<boolean>,
): Promise<never> {
  const dir = temporaryFolder('run');
  const postgres = await startEmbeddedPostgres({ dataDir: join(dir, 'postgres'), log: silentLogger });
  const stop = (): Promise<void> => postgres.stop();
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => void stop().finally(() => process.exit(130)));
  // Connections that tests keep open do not keep a process alive, so without this it would end while it waits for one.
  const alive = setInterval(() => undefined, ALIVE_MS);
  let isGood = false;
  try {
    isGood = await work(postgres, dir);
  } catch (error) {
    console.error(error);
  } finally {
    clearInterval(alive);
    await stop();
  }
  process.exit(isGood ? 0 : 1);
}
