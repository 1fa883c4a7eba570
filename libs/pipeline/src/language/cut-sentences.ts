import { sentencesIn } from '@casefile/contracts';
import { continuesAfterPoint } from './abbreviations.js';

const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' });
/** UTF-16 units at the end of a segment that are examined. */
const EXAMINED = 40;
const LINE_END = /[\n\r\u0085\u2028\u2029]/;
const CLOSED = /[\p{Sentence_Terminal}…:;][\p{Pe}\p{Ps}\p{Pf}\p{Pi}"'*_\s]*$/u;

/**
 * Yields the sentences of a text in any language, verbatim; together they are the whole text. A line end
 * always ends a sentence. Abbreviations, initials and ordinal numbers (`am 12. März 2026`, `Dr. Meier`, `z.
 * B.`, `No. 5`) do not. Takes linear time.
 */
export function* cutSentences(text: string): Generator<string> {
  let start = 0;
  for (const { segment, index } of sentencesIn(text, segmenter)) {
    const end = index + segment.length;
    if (end < text.length && continues(text, start, end)) continue;
    yield text.slice(start, end);
    start = end;
  }
  if (start < text.length) yield text.slice(start);
}

function continues(text: string, start: number, end: number): boolean {
  const tail = text.slice(Math.max(start, end - EXAMINED), end);
  if (LINE_END.test(tail.slice(tail.replace(/\u0085$/, '').trimEnd().length))) return false;
  // The segmenter receives long texts in parts, and a part may end within a sentence.
  if (!CLOSED.test(tail)) return true;
  const point = tail.trimEnd();
  if (!point.endsWith('.')) return false;
  const at = end - tail.length + point.length - 1;
  // A number at the beginning of a line numbers a list item.
  return isListNumber(text, at) || continuesAfterPoint(text, at);
}

/** Returns whether the point at `at` follows a number that begins its line: `1. First item`, `1. FC Köln`. */
export function isListNumber(text: string, at: number): boolean {
  const from = Math.max(0, at - 16);
  return (from === 0 ? /(?:^|[\n\r])[^\S\n\r]{0,12}\d{1,3}$/ : /[\n\r][^\S\n\r]{0,12}\d{1,3}$/).test(
    text.slice(from, at),
  );
}
