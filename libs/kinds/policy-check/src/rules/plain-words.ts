import { stopwords as dutch } from '@orama/stopwords/dutch';
import { stopwords as french } from '@orama/stopwords/french';
import { stopwords as german } from '@orama/stopwords/german';
import { stopwords as italian } from '@orama/stopwords/italian';
import { stopwords as portuguese } from '@orama/stopwords/portuguese';
import { stopwords as spanish } from '@orama/stopwords/spanish';
import { measureOf, unitFrom } from '@casefile/pipeline/reading/index';
import table from './plain-words.json' with { type: 'json' };
import { contentWords, hasWord } from './content-words.js';

/** Languages whose plain sentences the rules read. */
export type PlainLanguage = keyof typeof table.generic;
const STOP: Readonly<Record<PlainLanguage, readonly string[]>> = {
  en: [],
  de: german,
  fr: french,
  es: spanish,
  it: italian,
  nl: dutch,
  pt: portuguese,
};

/** Returns the language of a policy (BCP 47) if the rules read its plain sentences; null: they do not. */
export function plainLanguage(language: string): PlainLanguage | null {
  const [primary = ''] = language.toLowerCase().split('-');
  return Object.hasOwn(table.generic, primary) ? (primary as PlainLanguage) : null;
}

/** Returns a text in lower case without marks, where `ae` and `ä` are equal. */
export function folded(text: string): string {
  return text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll(/([aou])e/g, '$1');
}

/** Returns the words of a text, folded, in order. */
export const foldedWords = (text: string): string[] => folded(text).match(/\p{L}+/gu) ?? [];

const list = (words: string): string[] => foldedWords(words);
const byLanguage = (rows: Readonly<Record<PlainLanguage, string>>) =>
  new Map(
    Object.entries(rows).map(([language, words]) => [
      language as PlainLanguage,
      new Set([...list(words), ...(language === 'en' ? contentWords(words) : [])]),
    ]),
  );
const GENERIC = byLanguage(table.generic);
const ASKING = byLanguage(table.asking);
const TURNED = byLanguage(table.turned);
const CONDITIONS = byLanguage(table.conditions);
const PERIODS = byLanguage(table.periods);
const STOPPED = new Map(
  Object.entries(STOP).map(([language, words]) => [
    language as PlainLanguage,
    new Set(words.flatMap((word) => foldedWords(word))),
  ]),
);
const MEASURED = new Set([...list(table.measured.any), ...contentWords(table.measured.any)]);
const COMPARING = new Set([
  ...list(table.comparing.any),
  ...foldedWords(contentWords(table.comparing.any).join(' ')),
]);
const JOINED = byLanguage(table.joined);
const MORE = new Set(list(table.more));
const LESS = new Set(list(table.less));
const ENOUGH = new Set(list(table.enough));
const ASPECTS = new Map<string, string[]>();
for (const [aspect, words] of Object.entries(table.aspects))
  for (const word of new Set([...list(words), ...contentWords(words)]))
    ASPECTS.set(word, [...(ASPECTS.get(word) ?? []), aspect]);

/** Returns the aspects that a word names: `long` is a length or a duration. Empty: none. */
export const aspectsOf = (word: string): readonly string[] => ASPECTS.get(word) ?? [];
export const isGeneric = (word: string, language: PlainLanguage): boolean => GENERIC.get(language)!.has(word);
export const isMeasureWord = (word: string): boolean => MEASURED.has(word);
export const isCondition = (word: string, language: PlainLanguage): boolean =>
  CONDITIONS.get(language)!.has(word);
/** Returns whether a word only belongs to a comparison (`within`, `at least`). */
export const isComparing = (word: string): boolean => COMPARING.has(word);
/** Returns a text without the words that only introduce a condition (`if`, `where`). */
export const withoutConditions = (text: string, language: PlainLanguage): string =>
  text.replaceAll(/\p{L}+/gu, (word) => (isCondition(folded(word), language) ? ' ' : word));
export const isJoining = (word: string, language: PlainLanguage): boolean => JOINED.get(language)!.has(word);
export const isPeriodWord = (word: string, language: PlainLanguage): boolean =>
  PERIODS.get(language)!.has(word);

/** Returns whether a word is the name of a unit. */
export const isUnitWord = (word: string): boolean =>
  unitFrom(word) !== word || measureOf(1, word).dimension !== word;

/** Returns the words of a text that tell what it is about, folded, without repeats. */
export function tellingWords(text: string, language: PlainLanguage): string[] {
  const words = language === 'en' ? foldedWords(contentWords(text).join(' ')) : foldedWords(text);
  const stop = STOPPED.get(language)!;
  return [...new Set(words)].filter(
    (word) => word.length > 1 && !stop.has(word) && !isGeneric(word, language) && !isUnitWord(word),
  );
}

const LEAST_COMMON = 4;
const COMMON_SHARE = 0.6;
const LEAST_COMPOUND = 6;

/** Returns whether two folded words are forms of one word, or one begins with the other (`Handgepäckstück`). */
export function isAlikeIn(a: string, b: string): boolean {
  if (a === b) return true;
  let at = 0;
  while (at < a.length && a[at] === b[at]) at += 1;
  const [shorter, longer] = a.length < b.length ? [a, b] : [b, a];
  if (at === shorter.length && shorter.length >= LEAST_COMPOUND) return true;
  return at >= LEAST_COMMON && at >= COMMON_SHARE * longer.length && shorter.length - at <= 3;
}

/** Returns whether a list has a form of a word. */
export const hasForm = (words: readonly string[], sought: string, language: PlainLanguage): boolean =>
  language === 'en' ? hasWord(words, sought) : words.some((word) => isAlikeIn(word, sought));

/** Returns whether a question, without the limit that it states, asks for the opposite or is not plain. */
export function isTurned(question: string, language: PlainLanguage): boolean {
  return foldedWords(question).some((word) => TURNED.get(language)!.has(word));
}

/** Returns the direction in which `long enough` and `leicht genug` limit; null: the question has neither. */
export function enoughOf(question: string): 'least' | 'most' | null {
  const words = foldedWords(question);
  if (!words.some((word) => ENOUGH.has(word))) return null;
  if (words.some((word) => LESS.has(word))) return 'most';
  return words.some((word) => MORE.has(word)) ? 'least' : null;
}

/** Returns the words of a question that tell what it asks about. */
export const askedWords = (question: string, language: PlainLanguage): string[] =>
  tellingWords(question, language).filter(
    (word) =>
      ![...ASKING.get(language)!].some((one) => one === word || (language === 'en' && hasWord([word], one))),
  );

const patterns = (rows: Readonly<Record<PlainLanguage, string>>, separator: string) =>
  new Map(
    Object.entries(rows).map(([language, words]) => [
      language as PlainLanguage,
      new RegExp(
        String.raw`(?<![\p{L}\p{N}])(?:${words.split(separator).join('|')})(?![\p{L}\p{N}])`.replaceAll(
          String.raw`\w`,
          String.raw`\p{L}`,
        ),
        'iu',
      ),
    ]),
  );
const DENIED = patterns(table.denied, ' ');
const LIMITS = patterns(table.limits, '|');
const PERMITS = patterns(table.permits, ' ');
const CONSENT = patterns(table.consent, '|');
const RATES = patterns(table.rates, '|');
const RATE = new Map(
  Object.entries(table.rates).map(([language, words]) => [
    language as PlainLanguage,
    new RegExp(
      String.raw`\s(?:${words})\s(?<each>\p{L}{2,30})(?!\p{L})`.replaceAll(String.raw`\w`, String.raw`\p{L}`),
      'iu',
    ),
  ]),
);
const NET = new RegExp(String.raw`(?<!\p{L})(?:${table.net})(?!\p{L})`, 'u');

/** Returns whether a text negates or refuses something. */
export const isDenying = (text: string, language: PlainLanguage): boolean => DENIED.get(language)!.test(text);
/** Returns the words by which a sentence limits or changes another one (`unless`, `from 1 July`); null: none. */
export const limitingWords = (text: string, language: PlainLanguage): string | null =>
  LIMITS.get(language)!.exec(text)?.[0] ?? null;
/** Returns whether a text makes something depend on the consent of a person (`with the approval of a director`). */
export const needsConsent = (text: string, language: PlainLanguage): boolean =>
  CONSENT.get(language)!.test(text);
/** Returns whether a text speaks of each one of several things (`per night`, `every claim`). */
export const isDistributed = (text: string, language: PlainLanguage): boolean =>
  RATES.get(language)!.test(text);
/** A rate in a text (`per night`). */
export interface Rate {
  /** Index of the blank before it, and index behind it. */
  from: number;
  to: number;
  /** What is counted, folded: `night`. */
  each: string;
}
/** Returns the first rate of a text; null: it has none. */
export function rateIn(text: string, language: PlainLanguage): Rate | null {
  const found = RATE.get(language)!.exec(text);
  if (found === null) return null;
  return { from: found.index, to: found.index + found[0].length, each: folded(found.groups!['each']!) };
}
/** Returns whether a text permits something. */
export const isPermitting = (text: string, language: PlainLanguage): boolean =>
  PERMITS.get(language)!.test(text);
/** Returns whether a text states a net amount. */
export const isNet = (text: string): boolean => NET.test(text);
export const plainTable = table;
