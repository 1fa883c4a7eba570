import { CasefileError } from '@casefile/contracts';

/** Characters by which a text is judged; a shorter one is a title page. */
const ENOUGH = 40;
/** Part of the characters that may be of no text. */
const MOST_STRANGE = 0.05;
/** Part of the characters that are letters or digits, in a text of any language: of a table of sums it is three quarters. */
const FEWEST_LETTERS = 0.5;
/** Part of a document that may be unreadable. */
const MOST_UNREADABLE = 0.2;

/** No text has these: control characters, private use, unassigned, and the sign for what could not be read. */
const STRANGE = /[\p{Cc}\p{Co}\p{Cn}\ufffd]/gu;
const LETTER = /[\p{L}\p{M}\p{N}]/gu;
/** Leaders of a table of contents, rules of a form. */
const RUNS = /([^\p{L}\p{N}])\1{2,}/gu;

/**
 * A PDF whose fonts do not say which letters their glyphs are gives glyph numbers in place of letters. @param pages Texts.
 * @throws CasefileError `unreadable_document` when more than a fifth of the text is not readable.
 */
export function refuseUnmappedLetters(pages: readonly string[]): void {
  const texts = pages.map((page) => page.replace(/[\t\n\r ]+/g, '').replace(RUNS, '$1'));
  const all = texts.reduce((sum, { length }) => sum + length, 0);
  if (all < ENOUGH) return;
  const parts = texts.join('').match(/[^]{1,2000}/gu) ?? [];
  const unreadable = parts.filter(isUnreadable).reduce((sum, { length }) => sum + length, 0);
  if (unreadable <= all * MOST_UNREADABLE) return;
  const share = Math.round((100 * unreadable) / all);
  const message = `The text of the document is not readable: ${share} % of it are symbols, since its fonts do not say which letters their glyphs are. Save it anew from the program that made it, or have its pages read by OCR.`;
  throw new CasefileError('unreadable_document', message);
}

function isUnreadable(text: string): boolean {
  const count = (pattern: RegExp): number => text.match(pattern)?.length ?? 0;
  return count(STRANGE) > text.length * MOST_STRANGE || count(LETTER) < text.length * FEWEST_LETTERS;
}
