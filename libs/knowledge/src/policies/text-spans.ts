import { sentencesIn } from '@casefile/contracts';

/** A verbatim piece of a text. */
export interface Piece {
  text: string;
  /** UTF-16 offset. */
  start: number;
}

/** A table row is one piece; other long lines are split into sentences. */
const TABLE_ROW = /^\s*\|.*\|\s*$/;

/** Splits a text into sentences. A list item of one sentence and a table row are separate pieces. */
export function textPieces(text: string, language: string): Piece[] {
  const segmenter = languageSentences(language);
  const pieces: Piece[] = [];
  const read = (from: number, to: number) => {
    for (const { segment, index } of sentencesIn(text.slice(from, to), segmenter))
      push(pieces, segment, from + index);
  };
  let from = 0;
  for (const { 0: line, index } of text.matchAll(/[^\n]+/g)) {
    if (!TABLE_ROW.test(line)) continue;
    read(from, index);
    push(pieces, line, index);
    from = index + line.length;
  }
  read(from, text.length);
  return pieces;
}

function push(pieces: Piece[], text: string, start: number): void {
  const trimmed = text.trim();
  if (trimmed !== '') pieces.push({ text: trimmed, start: start + text.indexOf(trimmed) });
}

function languageSentences(language: string): Intl.Segmenter {
  const locales = Intl.Segmenter.supportedLocalesOf(language === 'und' ? [] : [language]);
  return new Intl.Segmenter(locales[0] ?? 'en', { granularity: 'sentence' });
}
