import { CasefileError } from '@casefile/contracts';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** Debian's and everybody's `nobody`. */
const NOBODY = { uid: 65534, gid: 65534 };
const UNSHARE = ['unshare', '--user', `--map-user=${NOBODY.uid}`, `--map-group=${NOBODY.gid}`, '--'];

/** Under which identity Postgres runs, and where its data therefore is. */
export interface RunAs {
  dataDir: string;
  /** The identity to spawn with; undefined: ours. */
  owner?: { uid: number; gid: number };
  /** Words in front of the command. */
  prefix: string[];
}

/**
 * Postgres refuses to run as root. When we are root it runs in a user namespace, where it takes itself
 * for nobody while its files stay ours; where namespaces are forbidden (most containers) it is
 * spawned as nobody, with a data folder that nobody can reach.
 * @param canUnshare for tests; decided by trying when it is left out.
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

/** The same short name for the same path. */
export function shortHash(path: string): string {
  return createHash('sha256').update(path).digest('hex').slice(0, 12);
}

function unshareWorks(program: string): boolean {
  const [command = '', ...args] = [...UNSHARE, program, '--version'];
  return spawnSync(command, args, { stdio: 'ignore' }).status === 0;
}

/** May anybody enter every folder on the way to `path`? What does not exist yet will be made by us. */
async function isReachable(path: string): Promise<boolean> {
  for (let folder = path; ; folder = dirname(folder)) {
    const found = await stat(folder).catch(() => undefined);
    if (found !== undefined && (found.mode & 0o001) === 0) return false;
    if (folder === dirname(folder)) return true;
  }
}
