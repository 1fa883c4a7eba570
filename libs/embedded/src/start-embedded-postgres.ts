import { type Logger, CasefileError } from '@casefile/contracts';
import { dirname, join, resolve } from 'node:path';
import { locateBinaries } from './binaries.js';
import { createClusterIfMissing } from './cluster.js';
import { EmbeddedPostgres } from './embedded-postgres.js';
import { chooseRunAs } from './run-as.js';
import { chooseSocketFolder } from './server-url.js';
import { chmod, chown, lstat, mkdir } from 'node:fs/promises';

export interface EmbeddedPostgresOptions {
  /** Made when it is missing. Beside it: `<dataDir>.log`. */
  dataDir: string;
  /** Of mode 0700; left out: `socket` beside the data folder. One whose path is too long is replaced. */
  socketDir?: string;
  /** Only part of the socket's name: nothing listens on the network. */
  port?: number;
  maxConnections?: number;
  /** false: commits may be lost with the machine; for tests. */
  durable?: boolean;
  log: Logger;
}

/**
 * Starts the private Postgres of a data folder, or attaches to the one that runs there. When it dies
 * while we use it, it is started again. It ends with the last process that uses it, also when that is killed with -9.
 * @throws CasefileError `platform_unsupported`, `cannot_run_as_root`, `data_folder_in_use`,
 * `initdb_failed`, `postgres_did_not_start`.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { port = 5432, maxConnections = 200, durable = true, log } = options;
  const { postgres, initdb } = await locateBinaries();
  const runAs = await chooseRunAs(resolve(options.dataDir), postgres);
  if (runAs.owner !== undefined) await makePrivateFolder(dirname(runAs.dataDir), runAs.owner);
  await createClusterIfMissing(runAs, initdb, durable);
  const wanted = resolve(options.socketDir ?? join(dirname(runAs.dataDir), 'socket'));
  const socketDir = chooseSocketFolder(runAs.dataDir, wanted, port);
  await makePrivateFolder(socketDir, runAs.owner);
  return EmbeddedPostgres.start({ postgres, runAs, socketDir, port, maxConnections, durable }, log);
}

/**
 * Makes `path` a folder of mode 0700 that belongs to `owner` (default: us), or checks that it is one.
 * @throws CasefileError `folder_not_private` when it is somebody else's or a link: in a shared folder
 * such as /tmp anybody could have laid it there.
 */
export async function makePrivateFolder(path: string, owner?: { uid: number; gid: number }): Promise<void> {
  const made = await mkdir(path, { recursive: true, mode: 0o700 });
  if (made !== undefined && owner !== undefined) await chown(path, owner.uid, owner.gid);
  const found = await lstat(path);
  const uid = owner?.uid ?? process.getuid?.();
  if (!found.isDirectory() || (uid !== undefined && found.uid !== uid)) {
    throw new CasefileError(
      'folder_not_private',
      `${path} has to be a folder of user ${uid}. Remove it and start again.`,
    );
  }
  if ((found.mode & 0o777) !== 0o700) await chmod(path, 0o700);
}
