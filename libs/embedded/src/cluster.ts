import { CasefileError } from '@casefile/contracts';
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chown, mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { hasCode } from './binaries.js';
import type { RunAs } from './run-as.js';
import { SUPERUSER } from './server-url.js';

/**
 * UTF-8 by the built-in provider: with the C library's locale of a bare container pg_trgm finds
 * nothing in Hindi, Tamil or Telugu.
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
 * Makes a cluster in the data folder when there is none. It is made beside it and moved in whole, so a
 * kill in the middle leaves no half of one, and of two makers at once one wins.
 * @throws CasefileError `data_folder_in_use` when other files are there, `initdb_failed`.
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
