import type { RunbookVersion } from '@casefile/contracts';

/** Names of a runbook, as alerts may state them. */
export type NamedRunbook = Pick<RunbookVersion, 'name' | 'title' | 'source' | 'address'> & {
  /** The first heading of its text; null: it has none. */
  heading: string | null;
};

/** File names that stand for their folder. */
const OF_FOLDER = ['index', '_index', 'readme'];
const LONGEST = 200;

/**
 * Names of a runbook, the most reliable first: of its file (for `README.md` of its folder), of its first
 * heading, its title.
 */
export function runbookNames(runbook: NamedRunbook): string[] {
  const all = [namedRunbookFileName(runbook), runbook.heading ?? '', runbook.title];
  const seen = new Set<string>();
  return all.filter((name) => {
    const letters = nameLetters(name);
    if (
      letters === '' ||
      name.length > LONGEST ||
      OF_FOLDER.includes(name.replace(/\.\w+$/, '').toLowerCase())
    )
      return false;
    if (seen.has(letters)) return false;
    seen.add(letters);
    return true;
  });
}

/** Names of one word, as alerts have them. A runbook without such a name is found only by a rule. */
export function runbookAlertNames(runbook: NamedRunbook): string[] {
  return runbookNames(runbook).filter((name) => !/\s/.test(name));
}

/** Returns how reliably a runbook has this name; 0: not at all. Case, blanks and signs are ignored. */
export function isNamed(runbook: NamedRunbook, name: string): number {
  const letters = nameLetters(name.slice(0, LONGEST));
  if (letters === '') return 0;
  const ranked = [runbook.title, runbook.heading ?? '', runbook.name, namedRunbookFileName(runbook)];
  return ranked.findLastIndex((one) => nameLetters(one) === letters) + 1;
}

/** Number of last path parts that a URL or path shares with the runbook; 0: none. */
export function sameLastParts({ source, address }: NamedRunbook, reference: string): number {
  const referenceParts = pathParts(reference).map(nameLetters).reverse();
  const counts = [source, address ?? ''].map((own) => {
    const parts = pathParts(own).map(nameLetters).reverse();
    const differs = referenceParts.findIndex((part, i) => part === '' || part !== parts[i]);
    return differs < 0 ? referenceParts.length : differs;
  });
  return Math.max(...counts);
}

// An index file of the outermost folder has no name: that folder is named after the collection, not an alert.
function namedRunbookFileName({ name, source }: NamedRunbook): string {
  return OF_FOLDER.includes(name) ? '' : (pathParts(source).at(-1) ?? '');
}

/** Path parts of a URL or file without extension; the name of an index file is left out. */
function pathParts(reference: string): string[] {
  const path =
    URL.canParse(reference) && /^https?:/i.test(reference) ? new URL(reference).pathname : reference;
  // A repository and the path in it.
  const parts = decodedPath(path.split(' ').at(-1) ?? '')
    .split(/[/\\]/)
    .filter((part) => part !== '');
  const last = parts.at(-1)?.replace(/\.(?:md|markdown|html?)$/i, '') ?? '';
  const own = OF_FOLDER.includes(last.toLowerCase()) ? [] : [last];
  return [...parts.slice(0, -1), ...own];
}

function decodedPath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

const nameLetters = (name: string): string =>
  name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '');
