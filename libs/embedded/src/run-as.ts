import { CasefileError } from '@casefile/contracts';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** The user `nobody`, as on Debian and most other systems. */
const NOBODY = { uid: 65534, gid: 65534 };
const UNSHARE = ['unshare', '--user', `--map-user=${NOBODY.uid}`, `--map-group=${NOBODY.gid}`, '--'];

/** Identity under which Postgres runs, and the resulting data folder. */
export interface RunAs {
  dataDir: string;
  /** Identity to spawn with. Default: this process's own. */
  owner?: { uid: number; gid: number };
  /** Words in front of the command. */
  prefix: string[];
}

/**
 * Chooses the identity for Postgres, which refuses to run as root. If this process is root, Postgres runs in
 * a user namespace: it sees itself as nobody, and its files stay ours. If namespaces are forbidden (most
 * containers), it is spawned as nobody, with a data folder that this user can reach.
 * @param canUnshare for tests. Default: determined by a trial.
 */
export async function chooseRunAs(dataDir: string, program: string, canUnshare?: boolean): Promise<RunAs> {
  if (process.getuid?.() !== 0) return { dataDir, prefix: [] };
  if (canUnshare ?? unshareWorks(program)) return { dataDir, prefix: UNSHARE };
  if (!(await isReachable(program))) {
    const message = `Postgres cannot run as root and ${program} cannot be reached by another user. Start as an ordinary user, or set DATABASE_URL.`;
    throw new CasefileError('cannot_run_as_root', message);
  }
  const reachable = await isReachable(dirname(dataDir));
  return {
    dataDir: reachable ? dataDir : join('/var/tmp', `casefile-${shortHash(dataDir)}`, 'data'),
    owner: NOBODY,
    prefix: [],
  };
}

/** Returns a short name that is always the same for the same path. */
export function shortHash(path: string): string {
  return createHash('sha256').update(path).digest('hex').slice(0, 12);
}

function unshareWorks(program: string): boolean {
  const [command = '', ...args] = [...UNSHARE, program, '--version'];
  return spawnSync(command, args, { stdio: 'ignore' }).status === 0;
}

/**
 * Returns whether every user may enter every folder on the way to `path`. Missing folders will be created by
 * this process.
 */
async function isReachable(path: string): Promise<boolean> {
  for (let folder = path; ; folder = dirname(folder)) {
    const found = await stat(folder).catch(() => undefined);
    if (found !== undefined && (found.mode & 0o001) === 0) return false;
    if (folder === dirname(folder)) return true;
  }
}
