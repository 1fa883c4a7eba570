/** A line of a page as a reader sees it. */
export interface PageLine {
  text: string;
  /** Of its letters, in points. */
  size: number;
  page: number;
  /** Distance from the bottom of the page, in points. */
  y: number;
  /** Does it stand in the upper or lower margin? */
  inMargin: boolean;
}

/** A run of letters as PDF.js gives it. */
export interface TextItem {
  str: string;
  width: number;
  height: number;
  transform: number[];
  hasEOL: boolean;
}

/** Part of a page's height, above and below, that running heads and feet stand in. */
const MARGIN = 0.1;
/** Within this part of its size, two runs stand on one line. */
const SAME_LINE = 0.4;

/** The lines of a page: runs that stand side by side, with blanks where there is room between them. */
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
    ...{ text: text.replace(/\s+/g, ' ').trim(), size, page, y, inMargin: inMargin(y) },
  }));
}

/** Part of all pages that have the same line there. */
const OFTEN = 0.4;
const LEAST_PAGES = 4;

/** Pages without what stands on all of them: running heads, feet, page numbers. */
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

/** The size that most letters have. */
export function bodySize(lines: readonly PageLine[]): number {
  const weights = new Map<number, number>();
  for (const { size, text } of lines) {
    const rounded = Math.round(size * 2) / 2;
    weights.set(rounded, (weights.get(rounded) ?? 0) + text.length);
  }
  return [...weights].sort((a, b) => b[1] - a[1])[0]?.[0] ?? 0;
}

/** Lines as paragraphs: joined where a sentence goes on, words that were broken put together. */
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
