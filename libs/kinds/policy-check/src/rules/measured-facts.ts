import { measureIn, parseTime, type Limit, type Measure } from '@casefile/pipeline/reading/index';
import type { PlainLimit } from './stated-limit.js';
import {
  aspectsOf,
  foldedWords,
  hasForm,
  isMeasureWord,
  isUnitWord,
  plainTable,
  tellingWords,
  type PlainLanguage,
} from './plain-words.js';
import { valueWords, type NamedFact } from './sections-and-facts.js';

/** Returns the words of a fact's name without those that only state that something is measured. */
export const nameWordsIn = ({ name }: NamedFact, language: PlainLanguage): string[] =>
  tellingWords(name.replaceAll('_', ' '), language).filter((word) => !isMeasureWord(word));
/** Returns the words of a fact's values. */
export const valuesIn = (fact: NamedFact, language: PlainLanguage): string[] =>
  valueWords(fact).flatMap((value) => tellingWords(value, language));

/** Returns the measure of a fact. Its unit may stand in its name (`delay_minutes`); a plain age is in years. */
export function measureOfFact(
  { best, name }: NamedFact,
  { measure, limit, language }: { measure: Measure; limit: Pick<Limit, 'unit'>; language: PlainLanguage },
): Measure | null {
  const words = foldedWords(name);
  const named = best.unit ?? words.find((word) => isUnitWord(word) && !aspectsOf(word).includes('age'));
  const isAge =
    named === undefined &&
    measure.dimension === 'calendar' &&
    words.some((word) => aspectsOf(word).includes('age'));
  const isCount = named === undefined && hasForm(words, foldedWords(limit.unit)[0] ?? '', language);
  const unit = named ?? (isAge ? 'years' : isCount ? limit.unit : undefined);
  return measureIn(best.value, unit, language);
}

/**
 * Returns whether a fact may be what a limit measures: all words of its name are those of the requirement or of the
 * question, and its aspect is the same one.
 */
export function isMeasured(fact: NamedFact, plain: PlainLimit, question: string): boolean {
  const { words, titleWords, language, limit, measure } = plain;
  const { value } = fact.best;
  if (typeof value === 'boolean' || parseTime(value) !== null) return false;
  if (typeof value === 'string' && !/^\s*-?\d/.test(value)) return false;
  const named = nameWordsIn(fact, language);
  const asked = tellingWords(question, language);
  const all = [...words, ...titleWords, ...asked];
  const aspects = aspectsFor(measure.dimension, all);
  const isCounted = hasForm(foldedWords(fact.name), foldedWords(limit.unit)[0] ?? '', language);
  // `hotel_cost_per_night` is such an amount, `hotel_cost` may be that of all nights.
  if (plain.each !== null && !hasForm(foldedWords(fact.name), plain.each, language)) return false;
  const isRight = (word: string) => {
    if (word === plain.each) return true;
    const own = aspectsOf(word);
    return hasForm(all, word, language) || (own.length > 0 && own.some((aspect) => aspects.includes(aspect)));
  };
  return named.every(isRight) && (named.length > 0 || isCounted);
}

function aspectsFor(dimension: string, words: readonly string[]): string[] {
  const table: Readonly<Partial<Record<string, string>>> = plainTable.aspectsOf;
  const possible = (table[dimension] ?? table['money'] ?? '').split(' ');
  const named = possible.filter((aspect) => words.some((word) => aspectsOf(word).includes(aspect)));
  if (named.length > 0) return named;
  // Age and the sides of a thing must be named. Other dimensions have one aspect only.
  return dimension === 'length' ? [] : possible.filter((aspect) => aspect !== 'age');
}

/** Returns why none of the facts can be compared with a limit. */
export function whyNone(linked: readonly NamedFact[], { measure, limit, language }: PlainLimit): string {
  const [other] = linked;
  if (other === undefined) return 'The figure that the requirement turns on is not among the facts.';
  const read = measureIn(other.best.value, other.best.unit, language);
  if (read === null || read.dimension === measure.dimension)
    return `The figure of ${other.name} cannot be read with certainty.`;
  return `${other.name} is in another unit or currency than the limit of ${limit.said}, and the rules do not convert it.`;
}

/** Returns the value of a fact as it is shown. */
export const shown = ({ best: { value, unit } }: NamedFact): string =>
  `${value}${unit === undefined ? '' : ` ${unit}`}`;
