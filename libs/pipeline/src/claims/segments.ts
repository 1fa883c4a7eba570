import { cutSentences } from '../language/cut-sentences.js';
import { holdsWords } from '../reading/index.js';

/** A source that a claim cites, with the quoted words. */
export interface CitedSpan {
  /** Id of the source: `E3`. */
  id: string;
  quote: string;
  /** The whole text of the source. */
  text: string;
  /** `lines`: logs, metrics, events, where each line stands alone. `prose`: sentences. */
  sort: 'lines' | 'prose';
  /** Time of the source, in ISO 8601; null: unknown. */
  at: string | null;
  /** Names in the arguments by which the source was requested. They support no subject on their own. */
  about?: readonly string[];
}

const MOST_SEGMENTS = 4_000;
const LONGEST = 2_000;
const MOST_TEXT = 200_000;
const JSON_START = /^\s{0,20}(?:\{\s{0,20}["}]|\[\s{0,20}[{"[\]])/;
/** A line end within a paragraph. Lists and headings keep their lines. */
const FOLDED = /(?<=[^\n])\n(?=[^\n\s#*•>|\d-])/g;

/**
 * Returns the parts of a source that stand alone: its lines, the innermost objects of JSON, or its sentences. At most
 * 4,000 parts of 2,000 characters.
 */
export function segmentsOf({ text, sort }: Pick<CitedSpan, 'text' | 'sort'>): string[] {
  const read = text.slice(0, MOST_TEXT);
  const parts =
    sort === 'prose'
      ? [...cutSentences(read.replace(FOLDED, ' '))]
      : JSON_START.test(read)
        ? read.split(/(?<=\}),?\s{0,200}(?=[{\n])/)
        : read.split('\n');
  return parts
    .map((part) => part.trim().slice(0, LONGEST))
    .filter((part) => part !== '')
    .slice(0, MOST_SEGMENTS);
}

/**
 * Returns whether a quote lies within one line of line-oriented evidence, or within sentences of prose: white space of
 * prose may be folded, but the end of one sentence is not joined with the beginning of the next.
 */
export function isUnspliced(span: Pick<CitedSpan, 'quote' | 'text' | 'sort'>): boolean {
  const segments = segmentsOf(span);
  if (segments.some((segment) => holdsWords(segment, span.quote))) return true;
  if (span.sort === 'lines') return false;
  // Whole sentences in their order may be quoted together.
  const own = segmentsOf({ text: span.quote, sort: 'prose' });
  return own.length > 1 && own.every((part) => segments.some((one) => isWholeSentence(one, part)));
}

const isWholeSentence = (sentence: string, quoted: string): boolean =>
  sentence.length - quoted.length <= 4 && holdsWords(sentence, quoted);

/** Returns the positions of the segments that hold a quote. */
export const placesOf = (segments: readonly string[], quote: string): number[] =>
  segments.flatMap((segment, i) => (holdsWords(segment, quote) ? [i] : []));

/** Returns the parts of a line between semicolons, bars and slashes with blanks. */
export const clausesOfLine = (line: string): string[] =>
  line.split(/\s{0,4}[;|]\s{1,4}|\s\/\s|\n/).filter((clause) => clause.trim() !== '');
