/**
 * Words of one meaning by language (BCP 47), each the source of a regular expression with `|` between alternatives.
 * `sign` stands for marks of any language, `before` for marks before a number, and `ambiguous` for words that also have
 * another meaning (`3日` is three days or the third day). `abbreviated` words are read only directly behind a measured
 * value (`5 s`).
 */
export type Words = Readonly<Partial<Record<string, string>>>;

/** Languages without blanks between words, and marks, which may stand directly next to letters. */
const ANYWHERE = new Set(['zh', 'ja', 'sign', 'ambiguous']);

/** Letters and digits of words with blanks between them. `\\b` does not know letters such as `à`. */
const LETTER = String.raw`[\p{Script=Latin}\p{Script=Cyrillic}\d_]`;
const wholeWord = (list: string): string => `(?<!${LETTER})(?:${list})(?!${LETTER})`;
/** Keys whose words stand in a special place. */
const PLACED: ReadonlySet<string> = new Set(['before', 'abbreviated']);

/** Returns a pattern for the words of all languages. Words of languages with blanks match only as whole words. */
export function anyOf(words: Words): string {
  return Object.entries(words)
    .filter(([language]) => !PLACED.has(language))
    .map(([language, list]) => (ANYWHERE.has(language) ? list : wholeWord(list ?? '')))
    .join('|');
}

/** Returns a pattern for words directly behind a text, after at most one blank or hyphen. */
export const behind = (words: Words): string => `^[ -]?(?:${anyOf(words)})`;

/** Returns a pattern for the words directly behind a measured value, also abbreviated ones, without ambiguous ones. */
export const behindMeasured = ({ ambiguous: _not, abbreviated = '(?!)', ...words }: Words): string =>
  `^[\\s-]?(?:${wholeWord(abbreviated)}|${anyOf(words) || '(?!)'})`;

/** A pattern for each key of a table, in the order of the table. */
type PatternTable = readonly (readonly [key: string, pattern: RegExp])[];

/** Compiles each row of a table. */
export const compileTable = (
  table: Readonly<Record<string, Words>>,
  pattern: (words: Words) => string = anyOf,
): PatternTable => Object.entries(table).map(([key, words]) => [key, new RegExp(pattern(words), 'iu')]);

/** Returns the keys of a table whose words a text contains. */
export const keysIn = (table: PatternTable, text: string): Set<string> =>
  new Set(table.filter(([, form]) => form.test(text)).map(([key]) => key));

/** Returns the first key of a table whose words a text contains; null: none. */
export const firstKey = (table: PatternTable, text: string): string | null =>
  table.find(([, form]) => form.test(text))?.[0] ?? null;

/** Part of a text that a recogniser read. */
export interface Span {
  from: number;
  /** Position after the last character. */
  to: number;
  /** The characters of the text. */
  said: string;
}

/**
 * A reading of a part of a text. `inferred` names the parts of the value that the text does not state, and that
 * follow from its context.
 */
export interface Reading<T, Part extends string = keyof T & string> extends Span {
  value: T;
  inferred: readonly Part[];
}
