import { factName, type CitableFact } from '@casefile/contracts';
import { sameValue } from '../../citations/same-value.js';
import { contentWords, nameWords } from './content-words.js';

/** Reading confidence from which a rule is put to a value: below it, it is read again rather than reasoned from. */
const ESTABLISHED_FROM = 0.9;
/** Characters of a value whose words say what kind of case it is; a longer one is somebody's statement. */
const KIND_LENGTH = 40;
const DENIED = /\b(?:no|not|none|never|nil|without|unknown|other)\b/i;
const NOTHING = /^\s{0,9}(?:no|none|nil|never|n\/a|-)\s{0,9}$/i;
const DATE_LIKE = /^\d{4}-\d{2}-\d{2}/;

/** A fact by its name, with all its readings. */
export interface NamedFact {
  name: string;
  words: string[];
  /** The surest first. */
  readings: CitableFact[];
  /** The surest reading. */
  best: CitableFact;
  /** Why it cannot be reasoned from; null: it can. */
  doubt: 'low_confidence' | 'missing_evidence' | null;
}

/** The facts of a case by their names. Readings that differ are in doubt, whichever is the surer. */
export function namedFacts(facts: readonly CitableFact[]): NamedFact[] {
  const names = [...new Set(facts.map(({ name }) => factName(name)))];
  return names.flatMap((name) => {
    const readings = facts
      .filter((fact) => factName(fact.name) === name)
      .toSorted((a, b) => b.confidence - a.confidence);
    const [best] = readings;
    return best === undefined
      ? []
      : [{ name, words: nameWords(name), readings, best, doubt: doubtOf(readings) }];
  });
}

function doubtOf(readings: readonly CitableFact[]): NamedFact['doubt'] {
  const [best, ...others] = readings;
  if (best === undefined || others.some(({ value, unit }) => !sameValue(best, value, unit)))
    return 'missing_evidence';
  return best.confidence < ESTABLISHED_FROM ? 'low_confidence' : null;
}

/** What is known to be so in this case: stems of the names of facts, and of short values. What is false does not count. */
export function knownWords(facts: readonly NamedFact[]): string[] {
  return [
    ...new Set(facts.filter(({ doubt, best }) => doubt === null && best.value !== false).flatMap(wordsOf)),
  ];
}

function wordsOf({ words, best: { value } }: NamedFact): string[] {
  if (typeof value !== 'string' || value.length > KIND_LENGTH || DATE_LIKE.test(value)) return words;
  return DENIED.test(value) ? [] : [...words, ...contentWords(value)];
}

/** The stems of what a fact says in words, at any length: enough to suspect by, not to decide by. */
export function valueWords({ readings }: NamedFact): string[] {
  return readings.flatMap(({ value }) => (typeof value === 'string' ? contentWords(value) : []));
}

/** Is it certain that this is not so: `no`, or `none`? */
export function isDenied({ doubt, best: { value } }: NamedFact): boolean {
  return doubt === null && (value === false || (typeof value === 'string' && NOTHING.test(value)));
}
