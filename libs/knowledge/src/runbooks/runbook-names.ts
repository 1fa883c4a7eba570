import type { RunbookVersion } from '@casefile/contracts';

/** What a runbook is called in the places where alerts name it. */
export type NamedRunbook = Pick<RunbookVersion, 'name' | 'title' | 'source' | 'address'> & {
  /** The first heading of its text; null: it has none. */
  heading: string | null;
};

/** Files that are named for the folder that they are in. */
const OF_FOLDER = ['index', '_index', 'readme'];
const LONGEST = 200;

/**
 * The names of a runbook, the surest first: of its file, or of the folder of a file that is called `README.md`; of its first
 * heading; its title.
 */
export function namesOf(runbook: NamedRunbook): string[] {
  const all = [fileNameOf(runbook), runbook.heading ?? '', runbook.title];
  const seen = new Set<string>();
  return all.filter((name) => {
    const letters = lettersOf(name);
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

/** Names that an alert can have: those of one word. A runbook with none of them is found by a rule alone. */
export function alertNamesOf(runbook: NamedRunbook): string[] {
  return namesOf(runbook).filter((name) => !/\s/.test(name));
}

/** How surely a runbook is called so: 0 is not at all. Case, blanks and signs do not count. */
export function isNamed(runbook: NamedRunbook, name: string): number {
  const wanted = lettersOf(name.slice(0, LONGEST));
  if (wanted === '') return 0;
  const ranked = [runbook.title, runbook.heading ?? '', runbook.name, fileNameOf(runbook)];
  return ranked.findLastIndex((one) => lettersOf(one) === wanted) + 1;
}

/** How many last parts of an address or path are those of the runbook: 0 is none. */
export function sameLastParts({ source, address }: NamedRunbook, said: string): number {
  const wanted = partsOf(said).map(lettersOf).reverse();
  const counts = [source, address ?? ''].map((own) => {
    const parts = partsOf(own).map(lettersOf).reverse();
    const differs = wanted.findIndex((part, i) => part === '' || part !== parts[i]);
    return differs < 0 ? wanted.length : differs;
  });
  return Math.max(...counts);
}

// A file of the outermost folder is named for nothing: that folder is of the collection, not of an alert.
function fileNameOf({ name, source }: NamedRunbook): string {
  return OF_FOLDER.includes(name) ? '' : (partsOf(source).at(-1) ?? '');
}

/** Parts of the path of an address or a file, without its ending; a file that is named for its folder is left out. */
function partsOf(said: string): string[] {
  const path = URL.canParse(said) && /^https?:/i.test(said) ? new URL(said).pathname : said;
  // A repository and the path in it.
  const parts = decoded(path.split(' ').at(-1) ?? '')
    .split(/[/\\]/)
    .filter((part) => part !== '');
  const last = parts.at(-1)?.replace(/\.(?:md|markdown|html?)$/i, '') ?? '';
  const own = OF_FOLDER.includes(last.toLowerCase()) ? [] : [last];
  return [...parts.slice(0, -1), ...own];
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

const lettersOf = (name: string): string =>
  name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '');
