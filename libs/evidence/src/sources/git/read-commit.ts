import { CasefileError, type TaskModule } from '@casefile/contracts';
import { broken } from './delta.js';
import { OverLimit, Pack, type PackLimits } from './pack.js';
import { packIn } from './pkt-lines.js';

export interface ReadCommitArgs {
  host: string;
  commit: string;
  /** Ends of the file names to read, in lower case. */
  endings: readonly string[];
  /** Beginning of the paths to read; '' for all. */
  below: string;
  limits: PackLimits;
}

/** `bytes` is null if the file exceeds the limit of one object. */
export type CommitFile = { path: string; bytes: Uint8Array | null };

/** Most files and folders of a commit: nested trees can name the same tree many times. */
const MOST_ENTRIES = 100_000;
const MOST_DEPTH = 100;
const MOST_FILES = 2_000;
/** Most bytes of all files. */
const MOST_BYTES = 20_000_000;
const MOST_NAMES = 3;
const FOLDER = '40000';
const FILES = ['100644', '100755', '100664'];

/** Reads the files of a commit from the answer of a Git server. */
export const run: TaskModule<ReadCommitArgs, CommitFile[]>['run'] = async (answer, args) => {
  const pack = new Pack(packIn(answer), args.limits);
  try {
    await pack.index();
  } catch (error) {
    if (!(error instanceof OverLimit)) throw error;
    const { object, problem } = error;
    throw tooLarge(args, `${object}${candidates(pack, args.commit)} ${problem}`);
  }
  return packFiles(pack, args);
};

function packFiles(pack: Pack, args: ReadCommitArgs): CommitFile[] {
  const wanted = packPaths(pack, args.commit).filter(
    ({ path }) =>
      path.startsWith(args.below) &&
      !path.split('/').some((part) => part.startsWith('.')) &&
      args.endings.some((ending) => path.toLowerCase().endsWith(ending)),
  );
  if (wanted.length > MOST_FILES)
    throw tooLarge(args, `It has ${wanted.length} files that end so, and at most ${MOST_FILES} are read`);
  let total = 0;
  const files = wanted.map(({ path, id }): CommitFile => {
    const bytes = pack.read(id, 'blob');
    total += bytes?.length ?? 0;
    if (total > MOST_BYTES)
      throw tooLarge(args, `Its files with ${path} have more than ${MOST_BYTES / 1_000_000} MB`);
    return { path, bytes };
  });
  return files.sort((a, b) => (a.path < b.path ? -1 : 1));
}

function packPaths(pack: Pack, commit: string): { path: string; id: string }[] {
  const content = pack.read(commit, 'commit');
  const [, root] = /^tree ([0-9a-f]{40})\n/.exec(content?.toString('latin1', 0, 46) ?? '') ?? [];
  if (root === undefined) throw broken('does not have the commit');
  const paths: { path: string; id: string }[] = [];
  let seen = 0;
  const walk = (id: string, folder: string, depth: number): void => {
    const tree = pack.read(id, 'tree');
    if (tree === null) throw broken('does not have all folders of the commit');
    if (depth > MOST_DEPTH) throw broken(`has more than ${MOST_DEPTH} folders in one another`);
    for (const entry of treeEntries(tree)) {
      seen += 1;
      if (seen > MOST_ENTRIES) throw broken(`has more than ${MOST_ENTRIES} files and folders`);
      const path = `${folder}${entry.name}`;
      if (entry.mode === FOLDER) walk(entry.id, `${path}/`, depth + 1);
      else if (FILES.includes(entry.mode)) paths.push({ path, id: entry.id });
    }
  };
  walk(root, '', 1);
  return paths;
}

function* treeEntries(tree: Buffer): Generator<{ mode: string; name: string; id: string }> {
  for (let at = 0; at < tree.length;) {
    const blank = tree.indexOf(0x20, at);
    const end = tree.indexOf(0, blank);
    if (blank < 0 || end < 0 || end + 21 > tree.length) throw broken('has a broken folder');
    const mode = tree.toString('latin1', at, blank);
    yield { mode, name: tree.toString('utf8', blank + 1, end), id: tree.toString('hex', end + 1, end + 21) };
    at = end + 21;
  }
}

/** Folders come first in a pack, so an oversized object is one of the files that were not yet read. */
function candidates(pack: Pack, commit: string): string {
  try {
    const paths = packPaths(pack, commit).flatMap(({ id, path }) => (pack.has(id) ? [] : [path]));
    if (paths.length === 0) return '';
    const more = paths.length > MOST_NAMES ? [`${paths.length - MOST_NAMES} more`] : [];
    return ` (${paths.length > 1 ? 'one of ' : ''}${[...paths.slice(0, MOST_NAMES), ...more].join(', ')})`;
  } catch (error) {
    // The folders come after the oversized object, so its number has to identify it.
    if (error instanceof CasefileError) return '';
    throw error;
  }
}

function tooLarge({ host }: ReadCommitArgs, why: string): CasefileError {
  const advice =
    'Keep large files out of this repository, or have the server leave them out (uploadpack.allowFilter).';
  return new CasefileError('too_large', `The repository on ${host} is too large. ${why}. ${advice}`);
}
