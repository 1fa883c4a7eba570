import { headingReader } from '../numbered-heading.js';
import { bodySize, type PageLine } from './pdf-lines.js';

/** A bookmark of a PDF: a title, how deep it stands, and the page it leads to. */
export interface Bookmark {
  title: string;
  level: number;
  /** null: it leads nowhere that is known. */
  page: number | null;
}

/** Where a heading begins in a row of lines, and how many lines it takes. */
export interface Heading {
  level: number;
  title: string;
  lines: number;
}

/** Larger than the body by this makes a heading. */
const LARGER = 1.12;
const LONGEST = 200;
const MOST_LINES = 4;

/**
 * The headings of a document by the index of the line they begin at: those its bookmarks name, else lines in larger
 * letters, else numbered lines.
 */
export function findHeadings(
  lines: readonly PageLine[],
  bookmarks: readonly Bookmark[],
): Map<number, Heading> {
  const marked = byBookmarks(lines, bookmarks);
  if (marked.size > 0) return marked;
  const larger = bySize(lines);
  return larger.size > 1 ? larger : byNumber(lines);
}

const letters = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '');

function byBookmarks(lines: readonly PageLine[], bookmarks: readonly Bookmark[]): Map<number, Heading> {
  const starts = new Map<number, number>();
  lines.forEach(({ page }, i) => starts.has(page) || starts.set(page, i));
  const headings = new Map<number, Heading>();
  let after = 0;
  for (const { title, level, page } of bookmarks) {
    const start = page === null ? undefined : starts.get(page);
    if (start === undefined) continue;
    const from = Math.max(start, after);
    const found = lineOf(lines, from, page ?? 0, letters(title));
    // The page has it in other words, or as a picture: the section begins with the page.
    const at = found?.at ?? from;
    if (at >= lines.length || headings.has(at)) continue;
    // As the page has it, for there its number may stand in front.
    headings.set(at, { level, title: found?.title ?? title, lines: found?.count ?? 0 });
    after = at + Math.max(1, found?.count ?? 1);
  }
  return headings;
}

interface Place {
  at: number;
  count: number;
  title: string;
}

/** Letters of a number that may stand in front of what a bookmark says. */
const LONGEST_NUMBER = 8;

function lineOf(lines: readonly PageLine[], from: number, page: number, sought: string): Place | null {
  if (sought === '') return null;
  for (let at = from; lines[at]?.page === page; at += 1) {
    let title = '';
    for (let count = 1; count <= MOST_LINES && lines[at + count - 1]?.page === page; count += 1) {
      title = `${title} ${lines[at + count - 1]?.text ?? ''}`.trim();
      const text = letters(title);
      const before = text.length - sought.length;
      if (
        text.endsWith(sought) &&
        before <= LONGEST_NUMBER &&
        /^[\p{N}a-z]?[\p{N}]*$/u.test(text.slice(0, before))
      )
        return { at, count, title };
      if (before > LONGEST_NUMBER) break;
    }
  }
  return null;
}

function bySize(lines: readonly PageLine[]): Map<number, Heading> {
  const body = bodySize(lines);
  const rounded = ({ size }: PageLine): number => Math.round(size * 2) / 2;
  const isLarge = (line: PageLine): boolean =>
    rounded(line) >= body * LARGER && /\p{L}|\p{N}/u.test(line.text);
  const sizes = [...new Set(lines.filter(isLarge).map(rounded))].sort((a, b) => b - a);
  const headings = new Map<number, Heading>();
  for (let i = 0; i < lines.length; i += 1) {
    const first = lines[i];
    if (first === undefined || !isLarge(first)) continue;
    const same = [first];
    for (let next = lines[i + 1]; next && goesOn(same, next, rounded); next = lines[i + same.length])
      same.push(next);
    const title = same.map(({ text }) => text).join(' ');
    if (title.length <= LONGEST)
      headings.set(i, { level: sizes.indexOf(rounded(first)) + 1, title, lines: same.length });
    i += same.length - 1;
  }
  return headings;
}

function goesOn(lines: readonly PageLine[], next: PageLine, rounded: (line: PageLine) => number): boolean {
  const last = lines.at(-1);
  if (last === undefined || lines.length >= MOST_LINES || rounded(last) !== rounded(next)) return false;
  const gap = last.y - next.y;
  return last.page === next.page && gap > 0 && gap < next.size * 1.7 && !/^\d/.test(next.text);
}

function byNumber(lines: readonly PageLine[]): Map<number, Heading> {
  const read = headingReader();
  return new Map(
    lines.flatMap(({ text }, i): [number, Heading][] => {
      const heading = read(text);
      return heading === null ? [] : [[i, { ...heading, lines: 1 }]];
    }),
  );
}
