import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { silentLogger } from '@casefile/contracts';
import { temporaryFolder } from '@casefile/contracts/testing';
import { startEmbeddedPostgres } from '@casefile/embedded';
import { testDatabase } from '@casefile/store/testing';

/** A Postgres server for one proof, whose processes can be stopped without harm to other databases. */
export interface OwnPostgres {
  /** A migrated database of the server. */
  url: string;
  /** Stops all its processes by SIGSTOP. */
  freeze(): void;
  /** Continues them by SIGCONT. */
  thaw(): void;
  close(): Promise<void>;
}

export async function ownPostgres(): Promise<OwnPostgres> {
  const dataDir = join(temporaryFolder('own-postgres'), 'postgres');
  const postgres = await startEmbeddedPostgres({ dataDir, log: silentLogger });
  const database = await testDatabase(postgres.url('postgres'));
  let stopped: number[] = [];
  const thaw = (): void => {
    for (const pid of stopped) process.kill(pid, 'SIGCONT');
    stopped = [];
  };
  return {
    url: database.url,
    // The server first, so that it starts no further process.
    freeze: () => {
      process.kill(postgres.pid, 'SIGSTOP');
      stopped = [postgres.pid, ...childrenOf(postgres.pid)];
      for (const pid of stopped) process.kill(pid, 'SIGSTOP');
    },
    thaw,
    close: async () => {
      thaw();
      await postgres.stop();
    },
  };
}

function childrenOf(pid: number): number[] {
  const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
  return text === '' ? [] : text.split(' ').map(Number);
}
