import { headingReader } from '../numbered-heading.js';

/** A visible line of a page. */
export interface PageLine {
  text: string;
  /** Size of its letters, in points. */
  size: number;
  page: number;
  /** Distance from the bottom of the page, in points. */
  y: number;
  /** Whether the line stands in the upper or lower margin. */
  inMargin: boolean;
}

/** A run of letters as returned by PDF.js. */
export interface TextItem {
  str: string;
  width: number;
  height: number;
  transform: number[];
  hasEOL: boolean;
}

/** Share of a page's height, at the top and at the bottom, that contains running heads and feet. */
const MARGIN = 0.1;
/** Two runs are on one line if their vertical distance is within this share of their size. */
const SAME_LINE = 0.4;

/** The lines of a page: adjacent runs, joined with a blank if there is a gap between them. */
export function pageLines(items: readonly TextItem[], page: number, height: number): PageLine[] {
  const lines: (Omit<PageLine, 'inMargin'> & { end: number; weight: number })[] = [];
  const inMargin = (y: number): boolean => y < height * MARGIN || y > height * (1 - MARGIN);
  for (const { str, width, height, transform } of items) {
    if (str.trim() === '') continue;
    const [, , , , x = 0, y = 0] = transform;
    const size = height || Math.abs(transform[3] ?? 0) || 1;
    const line = lines.at(-1);
    if (line !== undefined && Math.abs(line.y - y) < size * SAME_LINE && x >= line.end - size) {
      const apart = x - line.end > size * 0.15 && !/\s$/.test(line.text) && !/^\s/.test(str);
      line.text += (apart ? ' ' : '') + str;
      line.end = x + width;
      line.size = str.length > line.weight ? size : line.size;
      line.weight = Math.max(line.weight, str.length);
    } else lines.push({ text: str, size, page, y, end: x + width, weight: str.length });
  }
  return lines.map(({ text, size, y }) => ({
    text: text.replace(/\s+/g, ' ').trim(),
    size,
    page,
    y,
    inMargin: inMargin(y),
  }));
}

/** Share of all pages from which a repeated line counts as running. */
const OFTEN = 0.4;
const LEAST_PAGES = 4;

/** Returns the pages without running heads, feet and page numbers. */
export function withoutRunningLines(pages: readonly PageLine[][]): PageLine[][] {
  if (pages.length < LEAST_PAGES) return [...pages];
  const counts = new Map<string, number>();
  const formOf = ({ text }: PageLine): string => text.toLowerCase().replace(/\d+|\b[ivxlc]+\b/g, '#');
  for (const lines of pages) {
    const forms = new Set(lines.filter(({ inMargin }) => inMargin).map(formOf));
    for (const form of forms) counts.set(form, (counts.get(form) ?? 0) + 1);
  }
  // A book has two running heads, one for each side.
  const isRunning = (line: PageLine): boolean => (counts.get(formOf(line)) ?? 0) >= pages.length * OFTEN;
  return pages.map((lines) => lines.filter((line) => !(line.inMargin && isRunning(line))));
}

/** The most frequent size of letters. */
function bodySize(lines: readonly PageLine[]): number {
  const weights = new Map<number, number>();
  for (const { size, text } of lines) {
    const rounded = Math.round(size * 2) / 2;
    weights.set(rounded, (weights.get(rounded) ?? 0) + text.length);
  }
  return [...weights].sort((a, b) => b[1] - a[1])[0]?.[0] ?? 0;
}

/** Joins lines to paragraphs if a sentence continues, and joins hyphenated words. */
export function paragraphs(lines: readonly PageLine[]): string {
  return lines.reduce((text, line, i) => {
    const before = lines[i - 1];
    if (before === undefined) return line.text;
    const gap = before.page === line.page ? before.y - line.y : 0;
    if (gap > Math.max(line.size, before.size) * 1.7 || gap < 0) return `${text}\n\n${line.text}`;
    if (/^(?:[-•▪*]|\d{1,2}[.)]|\([a-z0-9]{1,3}\))\s/.test(line.text)) return `${text}\n${line.text}`;
    if (/\p{L}-$/u.test(text) && /^\p{Ll}/u.test(line.text)) return `${text.slice(0, -1)}${line.text}`;
    return `${text} ${line.text}`;
  }, '');
}

/** A bookmark of a PDF: a title, its depth, and the page it refers to. */
export interface Bookmark {
  title: string;
  level: number;
  /** null: the page is not known. */
  page: number | null;
}

/** Position of a heading in a row of lines, and the number of its lines. */
interface Heading {
  level: number;
  title: string;
  lines: number;
}

/** Ratio to the body size from which a line counts as a heading. */
const LARGER = 1.12;
const LONGEST = 200;
const MOST_LINES = 4;

/**
 * The headings of a document by the index of their first line: those named by its bookmarks, else lines in
 * larger letters, else numbered lines.
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
    const place = lineOf(lines, from, page ?? 0, letters(title));
    // The page words the heading differently or shows it as a picture, so the section begins with the page.
    const at = place?.at ?? from;
    if (at >= lines.length || headings.has(at)) continue;
    // The title as on the page, where a number may precede it.
    headings.set(at, { level, title: place?.title ?? title, lines: place?.count ?? 0 });
    after = at + Math.max(1, place?.count ?? 1);
  }
  return headings;
}

interface Place {
  at: number;
  count: number;
  title: string;
}

/** Most characters of a number that may precede a bookmark's title on the page. */
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
