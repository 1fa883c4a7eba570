import { sentencesIn } from '@casefile/contracts';

/** A piece of a text, word for word. */
export interface Piece {
  text: string;
  /** UTF-16 offset. */
  start: number;
}

/** Lines that are longer have sentences; a row of a table is one piece. */
const TABLE_ROW = /^\s*\|.*\|\s*$/;

/** The sentences of a text; a list item that is one sentence and a row of a table are pieces of their own. */
export function piecesOf(text: string, language: string): Piece[] {
  const segmenter = sentencesOf(language);
  const pieces: Piece[] = [];
  for (const { 0: line, index } of text.matchAll(/[^\n]+/g)) {
    if (TABLE_ROW.test(line)) push(pieces, line, index);
    else for (const { segment, index: at } of sentencesIn(line, segmenter)) push(pieces, segment, index + at);
  }
  return pieces;
}

function push(pieces: Piece[], text: string, start: number): void {
  const trimmed = text.trim();
  if (trimmed !== '') pieces.push({ text: trimmed, start: start + text.indexOf(trimmed) });
}

function sentencesOf(language: string): Intl.Segmenter {
  const known = Intl.Segmenter.supportedLocalesOf(language === 'und' ? [] : [language]);
  return new Intl.Segmenter(known[0] ?? 'en', { granularity: 'sentence' });
}
