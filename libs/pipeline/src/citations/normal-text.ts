const SPACE_LIKE = /[\s\p{Z}\p{Cc}|]+/gu;
/** Soft hyphens, joiners and marks that are not seen. */
const UNSEEN = /\u034f|\u200d|[\u00ad\u180e\u200b\u200c\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff]/g;
const DASHES = /[\p{Pd}\u2212\u2043]/gu;
const SINGLE_QUOTES = /[\u2018-\u201b\u2032\u00b4\u02bc`]/g;
const DOUBLE_QUOTES = /[\u201c-\u201f\u2033\u00ab\u00bb]/g;
/** Bullets, and dashes between words: nobody reads them out. Between two figures a dash is a range, and stays. */
// Looked around only from a dash on: text from outside may be blanks for the most part.
const BULLETS = /[\u2022\u2023\u25e6]|[-*](?<=(?:^|\s)[-*])(?=\s+[^\s\p{N}]|\s*$|\s(?<!\p{N}\s+[-*]\s))/gu;
const EMPHASIS = /\*\*|__/g;
/** A word that was broken at the end of a line, or is written with or without a hyphen. Digits keep theirs. */
const HYPHEN_IN_WORD = /-(?<=\p{L}-)\s*(?=\p{Ll})/gu;

/**
 * A text as quotes are compared: one form of white space, case, dashes and quotation marks, no table pipes, bullets
 * or emphasis. Superscripts and fractions stay what they are: 10² must not become 102. S4-21.
 */
export function normalText(text: string): string {
  return text
    .replace(/[^\p{No}]+/gu, (part) => part.normalize('NFKC'))
    .replace(UNSEEN, '')
    .replace(DASHES, '-')
    .replace(BULLETS, '')
    .replace(EMPHASIS, '')
    .replace(SINGLE_QUOTES, "'")
    .replace(DOUBLE_QUOTES, '"')
    .replace(HYPHEN_IN_WORD, '')
    .toLowerCase()
    .replace(SPACE_LIKE, ' ')
    .trim();
}

/** The words of a text in their order, in normal form: figures with what belongs to them are one word. */
export function normalWords(text: string): string[] {
  return normalText(text).match(/[\p{L}\p{M}\p{N}]+(?:[.,:/'-][\p{L}\p{M}\p{N}]+)*/gu) ?? [];
}
