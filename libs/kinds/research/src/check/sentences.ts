import { continuesAfterPoint } from '@casefile/pipeline/language/abbreviations';

/** A sentence of a report, without its citations, and the ids that it cites. */
export interface Sentence {
  /** Text as in the report, including citations. */
  whole: string;
  /** Start position in the report, in UTF-16 units. */
  from: number;
  text: string;
  ids: string[];
  isHeading: boolean;
}

const CITATION = '\\[\\s?(E\\d{1,5}(?:\\s?[,、，]\\s?E\\d{1,5}){0,20})\\s?\\]';
const CITED = new RegExp(` ?${CITATION}`, 'g');
/** Text after the end of a sentence that belongs to it: more citations and closing marks. */
const TRAILING = new RegExp(`^(?:\\s{0,3}${CITATION}|[」』”"）)])`);
const MARKUP = /^\s{0,12}(?:(?:[-*+•>]|\d{1,3}[.)、]|[（(]?[一二三四五六七八九十]{1,3}[）)、])\s{0,4}){0,3}/;

/** Returns the ids that a text cites, existing or not, without repeats, in order of their first use. */
export function idsCitedIn(text: string): string[] {
  const lists = [...text.matchAll(CITED)].map(([, list = '']) => list);
  return [...new Set(lists.flatMap((list) => list.match(/E\d{1,5}/g) ?? []))];
}

/**
 * Returns the sentences of a report in Markdown, line by line. A citation after a full stop belongs to the
 * sentence before it.
 */
export function sentencesOf(report: string): Sentence[] {
  const found: Sentence[] = [];
  let from = 0;
  for (const line of report.split('\n')) {
    const isHeading = /^\s{0,3}#{1,6}\s/.test(line);
    for (const [start, end] of lineSpans(line)) {
      const sentence = sentenceAt(line.slice(start, end), from + start, isHeading);
      if (sentence !== null) found.push(sentence);
    }
    from += line.length + 1;
  }
  return found;
}

function sentenceAt(whole: string, from: number, isHeading: boolean): Sentence | null {
  const text = whole
    .replaceAll(CITED, '')
    .replace(/^\s{0,3}#{1,6}\s/, '')
    .replace(MARKUP, '')
    .replaceAll(/\*\*|__|`/g, '')
    .replaceAll('|', ' ')
    .replaceAll(/ {2,}/g, ' ')
    .trim();
  if (!/[\p{L}\p{N}]/u.test(text)) return null;
  return { whole, from, text, ids: idsCitedIn(whole), isHeading };
}

function lineSpans(line: string): [number, number][] {
  const spans: [number, number][] = [];
  let start = 0;
  // Within quotation marks, no sentence ends.
  let depth = 0;
  for (let at = 0; at < line.length; at += 1) {
    const char = line[at] as string;
    if (char === '「' || char === '『' || char === '“') depth += 1;
    if (char === '」' || char === '』' || char === '”') depth = Math.max(0, depth - 1);
    if (depth > 0 || !endsAt(line, at)) continue;
    let end = at + 1;
    for (
      let more = TRAILING.exec(line.slice(end, end + 200));
      more !== null;
      more = TRAILING.exec(line.slice(end, end + 200))
    )
      end += more[0].length;
    spans.push([start, end]);
    start = end;
    at = end - 1;
  }
  if (start < line.length) spans.push([start, line.length]);
  return spans;
}

function endsAt(line: string, at: number): boolean {
  const char = line[at] as string;
  if ('。！？'.includes(char)) return true;
  if (char === '!' || char === '?') return /^(?:\s|$|\[|["”])/.test(line.slice(at + 1, at + 2));
  if (char !== '.') return false;
  if (continuesAfterPoint(line, at) || /^\s{0,12}\d{1,3}$/.test(line.slice(0, at))) return false;
  return /^(?:\s|$|\[|["”])/.test(line.slice(at + 1, at + 2));
}
