import { WordList } from '@casefile/pipeline/claims/word-lists';
import table from './words.json' with { type: 'json' };

/** Words that restrict what a sentence states: conditions, times and limits. */
export const RESTRICTS = new WordList(table.restricts);
export const AND = new WordList(table.and);
export const OR = new WordList(table.or);
export const NOT = new WordList(table.not);
/** Words that refuse without a negation. */
export const REFUSES = new WordList(table.refuses);
/** Words by which a section changes, replaces or ends another one. */
export const CHANGES = new WordList(table.changes);
/** Words of a former state in the name of a fact. */
export const FORMER = new WordList(table.former);
/** Values that state only that nothing is known. */
export const UNKNOWN = new WordList(table.unknown);
export const MORE = new WordList(table.exceeds.more);
export const LESS = new WordList(table.exceeds.less);
export const BEFORE = new WordList(table.before);
export const AFTER = new WordList(table.after);

/** Returns the language of word lists of a policy's language (BCP 47). */
export const wordLanguage = (language: string): string => language.toLowerCase().split('-')[0] ?? '';
/** Returns whether the lists have words of a language. */
export const isRead = (language: string): boolean => Object.hasOwn(table.restricts, wordLanguage(language));

const NUMBER = String.raw`\d{1,4}(?:\.\d{1,4}){0,5}[a-z]?`;
const REFERENCE = new RegExp(
  String.raw`(?:(?<![\p{L}\p{N}])(?:${table.sections})\s{0,2}|第\s?)(?<number>${NUMBER})(?![\p{N}])`,
  'giu',
);

/** Returns the numbers of sections that a text names in any of the languages: `§ 5`, `artículo 2`, `第3條`. */
export const sectionsNamedIn = (text: string): string[] =>
  [...text.matchAll(REFERENCE)].map(({ groups }) => groups!['number']!.toLowerCase());

/** Returns a text without references to sections. */
export const withoutReferences = (text: string): string => text.replaceAll(REFERENCE, ' ');
