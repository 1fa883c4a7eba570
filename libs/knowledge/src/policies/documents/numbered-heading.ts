/** A number before a heading, and the rest: `3.1. Names`, `§ 4 Notice`, `Chapter 2: Scope`, `Appendix B`. */
const NUMBERED =
  /^(?:(?:chapter|section|article|part|annex|appendix|kapitel|artikel|chapitre|§)\s*)?(\d{1,3}(?:\.\d{1,3}){0,5}|[A-Z](?=[.:\s])(?:\.\d{1,3}){0,5})\.?\)?[:\s]\s*(\S.*)$/iu;
const WORDED =
  /^(?:chapter|section|article|part|annex|appendix|kapitel|artikel|chapitre|§)\s*(\d{1,3}|[A-Z])$/iu;
/** `1.2 Scope ........ 7`: a line of a table of contents. */
// eslint-disable-next-line regexp/no-super-linear-move -- a line is short: LONGEST_CONTENTS
const CONTENTS_LINE = /(?:\.\s?){4,}\s*\d+\s*$/;
const LONGEST = 120;
const LONGEST_CONTENTS = 300;

/** Returns whether this is a line of a table of contents, with dots before a page number. */
export function isContentsLine(line: string): boolean {
  return line.length <= LONGEST_CONTENTS && CONTENTS_LINE.test(line);
}

export interface NumberedHeading {
  /** 1 for `3`, 2 for `3.1`. */
  level: number;
  title: string;
}

/**
 * Distinguishes numbered headings from numbered lists, line by line. A heading's number continues earlier
 * ones, and its text is not a sentence.
 */
export function headingReader(): (line: string) => NumberedHeading | null {
  let path: number[] = [];
  return (line) => {
    const title = line.trim().replace(/\s+/g, ' ');
    const number = titleCandidate(title)?.path;
    if (number === undefined || !goesOn(path, number)) return null;
    path = number;
    return { level: number.length, title };
  };
}

/** Indexes of lines that look like headings and are repeated verbatim further down: a table of contents. */
export function contentsLines(lines: readonly string[]): ReadonlySet<number> {
  const keys = lines.map((line) => titleCandidate(line.trim().replace(/\s+/g, ' '))?.key);
  const last = new Map(keys.flatMap((key, i) => (key === undefined ? [] : [[key, i] as const])));
  return new Set(keys.flatMap((key, i) => (key !== undefined && last.get(key) !== i ? [i] : [])));
}

interface Candidate {
  path: number[];
  /** The same for `1. Scope` and `Chapter 1: Scope`. */
  key: string;
}

function titleCandidate(title: string): Candidate | null {
  if (title.length > LONGEST || isContentsLine(title)) return null;
  const [, number = '', rest = ''] = NUMBERED.exec(title) ?? WORDED.exec(title) ?? [];
  if (number === '') return null;
  const isName = rest === '' || (/^["'“(]?[\p{Lu}\p{Lo}\p{N}<]/u.test(rest) && !/[.;,!?]$/.test(rest));
  // A single letter is an article or an initial more often than an appendix.
  const isLetter = /^[A-Za-z](?:\.|$)/.test(number);
  if (!isName || (isLetter && !/^(?:annex|appendix)/i.test(title) && !number.includes('.'))) return null;
  const path = number
    .split('.')
    .map((part) => (/^\d/.test(part) ? Number(part) : LETTERS + part.toUpperCase().charCodeAt(0)));
  return { path, key: `${number} ${rest.toLowerCase()}` };
}

/** Appendices come after all numbers. */
const LETTERS = 1_000;
/** Largest step between numbers: some documents skip numbers. */
const GAP = 3;

function goesOn(path: readonly number[], number: readonly number[]): boolean {
  const parent = number.slice(0, -1);
  const last = number.at(-1) ?? 0;
  const isBelow = parent.every((part, i) => path[i] === part);
  if (!isBelow) return false;
  const before = path[parent.length] ?? 0;
  if (last >= LETTERS) return last > before;
  return last > before && last - before <= GAP;
}
