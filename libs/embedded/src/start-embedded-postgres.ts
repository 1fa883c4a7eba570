import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, chown, lstat, mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { CasefileError, type Logger } from '@casefile/contracts';
import { hasCode, locateBinaries } from './binaries.js';
import { EmbeddedPostgres } from './embedded-postgres.js';
import { chooseRunAs, type RunAs } from './run-as.js';
import { chooseSocketFolder, SUPERUSER } from './server-url.js';

export interface EmbeddedPostgresOptions {
  /** Created if missing. Its log is `<dataDir>.log` next to it. */
  dataDir: string;
  /** Folder of mode 0700. Default: `socket` next to the data folder. A path that is too long is replaced. */
  socketDir?: string;
  /** Only part of the socket's name: the server does not listen on the network. */
  port?: number;
  maxConnections?: number;
  /** false: commits may be lost if the machine crashes; for tests. */
  durable?: boolean;
  log: Logger;
}

/**
 * Starts the private Postgres of a data folder, or attaches to the one that runs there. If it dies while in
 * use, it is restarted. It ends with the last process that uses it, even if that process is killed with -9.
 * @throws CasefileError `platform_unsupported`, `cannot_run_as_root`, `data_folder_in_use`, `initdb_failed`,
 * `postgres_did_not_start`.
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
 * Creates `path` as a folder of mode 0700 owned by `owner` (default: this process's user), or checks that it
 * is one.
 * @throws CasefileError `folder_not_private` if another user owns it or if it is a link: in a shared folder
 * such as /tmp, any user could have created it.
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

/**
 * UTF-8 by the built-in provider. With the C library's locale of a bare container, pg_trgm finds nothing in
 * Hindi, Tamil or Telugu.
 */
const LOCALE = [
  '--locale-provider=builtin',
  '--builtin-locale=C.UTF-8',
  '--locale=C.UTF-8',
  '--lc-messages=C',
];
const LOCALE_DARWIN = [
  '--locale-provider=builtin',
  '--builtin-locale=C.UTF-8',
  '--locale=en_US.UTF-8',
  '--lc-messages=C',
];

/**
 * Creates a cluster in the data folder if there is none. It is created next to the folder and then renamed,
 * so that a kill leaves no partial cluster. Of two concurrent creators, one wins.
 * @throws CasefileError `data_folder_in_use` if the folder has other files, `initdb_failed`.
 */
export async function createClusterIfMissing(runAs: RunAs, initdb: string, durable: boolean): Promise<void> {
  const { dataDir, owner } = runAs;
  if (existsSync(join(dataDir, 'PG_VERSION'))) return;
  await mkdir(dirname(dataDir), { recursive: true });
  await refuseOtherFiles(dataDir);
  const draft = await mkdtemp(`${dataDir}.new-`);
  if (owner !== undefined) await chown(draft, owner.uid, owner.gid);
  await runInitdb(runAs, [initdb, '-D', draft, ...(durable ? [] : ['--no-sync'])]);
  try {
    await rename(draft, dataDir);
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    if (!hasCode(error, 'ENOTEMPTY', 'EEXIST')) throw error;
  }
}

async function refuseOtherFiles(dataDir: string): Promise<void> {
  const files = await readdir(dataDir).catch((error: unknown) => {
    if (hasCode(error, 'ENOENT')) return [];
    throw error;
  });
  if (files.length === 0) return;
  throw new CasefileError(
    'data_folder_in_use',
    `${dataDir} holds files that are not a Postgres cluster. Choose another folder.`,
  );
}

function runInitdb(runAs: RunAs, words: string[]): Promise<void> {
  const locale = process.platform === 'darwin' ? LOCALE_DARWIN : LOCALE;
  const options = ['-U', SUPERUSER, '-A', 'trust', '-E', 'UTF8', '--no-instructions'];
  const [command = '', ...args] = [...runAs.prefix, ...words, ...options, ...locale];
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: ['ignore', 'ignore', 'pipe'], cwd: '/', ...runAs.owner });
    let said = '';
    child.stderr.on('data', (chunk: Buffer) => (said = (said + chunk.toString()).slice(-4_000)));
    child.on('error', reject);
    child.on('close', (code) => {
      if (code === 0) return resolve();
      reject(
        new CasefileError('initdb_failed', `The embedded Postgres could not be created: ${said.trim()}`),
      );
    });
  });
}
