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

function sentencesOf(language: string): Intl.Segmenter {
  const known = Intl.Segmenter.supportedLocalesOf(language === 'und' ? [] : [language]);
  return new Intl.Segmenter(known[0] ?? 'en', { granularity: 'sentence' });
}
