import type { Figure } from './figures.js';
import { absentIn, withoutAbsent } from './negation.js';
import { hasHan } from './script.js';
import { isAlikeMeasure, isAlwaysWritten, isMeasure } from './units.js';
import table from './words/counted.json' with { type: 'json' };
import { anyOf, compileTable, firstKey, keysIn, type Words } from './words.js';

const NEVER = '(?!)';
const row =
  (zhBefore: string, enBefore: string) =>
  ({ zh = NEVER, en = NEVER }: Words): string =>
    `^ ?(?:${anyOf({ zh: `${zhBefore}(?:${zh})`, en: `${enBefore}(?:${en})` })})`;
/** Classes of countable things, by the classifier or noun after the figure. */
const CLASSES = compileTable(table.classes, row('', "(?:[a-z'’-]+ ){0,2}?"));
/** Kinds of people that exclude each other: a count of children is no count of adults. */
const KINDS = compileTable(table.kinds, row('(?:人|名|位|件|起)?', "(?:[a-z'’-]+ ){0,1}?"));
const FATES = compileTable(table.fates);
const PERIODS = compileTable(table.periods);
const SAME_EACH: Readonly<Record<string, string>> = table.sameEach;
const EACH_EN = new RegExp(
  `\\b(?:per|each|every) ([a-z]{1,12})\\b|\\ban? (${table.each.en})\\b(?! (?:earlier|ago|before|later|after|on|over))|/ ?([a-z]{1,8})\\b|\\b(${table.each.enAdverbs})ly\\b`,
  'giu',
);
const EACH_ZH = new RegExp(`每(?:一|個)?(${table.each.zh})|(時|日|月|年)薪`, 'gu');

/** What a number in a text counts, as far as the neighbouring words show it. */
export interface CountedObject {
  /** A unit of measure such as `percent` or `USD`, or a class of things such as `person`; null: unknown. */
  unit: string | null;
  /** Whether the unit is a measure, not a class of things. */
  isMeasure: boolean;
  /** The word or classifier directly after the figure; empty: none, or the word names nothing countable. */
  word: string;
  /** Fates of the counted people, such as `died` or `injured`. */
  fates: ReadonlySet<string>;
  /** Period or comparison of the figure: `day`, `month`, `year-on-year`. */
  per: ReadonlySet<string>;
}

const perIn = (text: string): Set<string> =>
  new Set([
    ...keysIn(PERIODS, text),
    ...[...text.matchAll(EACH_EN), ...text.matchAll(EACH_ZH)].flatMap((match) => {
      const said = match
        .slice(1)
        .find((part) => part !== undefined)!
        .toLowerCase();
      const key = SAME_EACH[said] ?? said;
      return key === '' ? [] : [key];
    }),
  ]);
/** Chinese classifiers: words between a number and what it counts. */
const CLASSIFIERS = table.classifiers;
/** Classifiers of one group are interchangeable. */
const GROUPS = table.classifierGroups.split(' ');
const NO_NOUNS = new RegExp(`^(?:${table.noNouns})$`);

function wordBehind(tail: string): string {
  const sign = /^ ?([\p{Script=Han}])/u.exec(tail)?.[1];
  if (sign !== undefined) return CLASSIFIERS.includes(sign) ? sign : '';
  const word = /^[- ]?([A-Za-z][A-Za-z0-9/’'-]*)/.exec(tail)?.[1]?.toLowerCase() ?? '';
  return NO_NOUNS.test(word) ? '' : word;
}
const isOneGroup = (a: string, b: string): boolean =>
  a === b || GROUPS.some((group) => group.includes(a) && group.includes(b));
const isSign = (word: string): boolean => word.length === 1 && hasHan(word);

/** The words next to a figure that show what it counts, up to the next figure or the end of the clause. */
interface Surroundings {
  lead: string;
  tail: string;
}

/** Returns the object of a figure. */
export function countedObject(figure: Figure, { lead, tail }: Surroundings): CountedObject {
  const behind = tail.replace(/^ ?[多餘](?=[\p{Script=Han}])/u, '');
  const measure = isMeasure(figure.unit) ? figure.unit : null;
  const near = keysIn(FATES, tail.slice(0, 60));
  return {
    unit: measure ?? firstKey(CLASSES, behind),
    isMeasure: measure !== null,
    word: wordBehind(behind),
    fates: near.size > 0 ? near : keysIn(FATES, lead.slice(-24)),
    per: perIn(`${lead.slice(-24)} 0${tail.slice(0, 80)}`),
  };
}

/** Returns the kinds of people or things that the words after a figure name. */
export const kindsIn = (tail: string): Set<string> => keysIn(KINDS, tail);
/** Returns the fates that a sentence states, except those that it denies. */
export const fatesIn = (sentence: string): Set<string> => keysIn(FATES, withoutAbsent(sentence));

/**
 * Returns the words that deny that people suffered one of these fates, as in `no deaths`; null: there are
 * none.
 */
export function findDenial(text: string, fates: ReadonlySet<string>): string | null {
  return absentIn(text).find((words) => [...keysIn(FATES, words)].some((fate) => fates.has(fate))) ?? null;
}

/** Returns whether both figures can count the same thing. */
export function countsSame(claimed: CountedObject, source: CountedObject): boolean {
  if (disjoint(claimed.per, source.per)) return false;
  if (isSign(claimed.word) && isSign(source.word) && !isOneGroup(claimed.word, source.word)) return false;
  if (claimed.unit === null && source.unit === null) return true;
  if (claimed.unit !== null && source.unit !== null)
    return claimed.unit === source.unit || isAlike(claimed.unit, source.unit);
  const [known, unknown] = claimed.unit === null ? [source, claimed] : [claimed, source];
  if (!known.isMeasure && isSign(unknown.word)) return false;
  if (known.isMeasure && isAlwaysWritten(known.unit!)) return false;
  // A bare figure, as in a table, may have any unit. A figure with a counted word is not a measure.
  return !known.isMeasure || unknown.word === '';
}

/** Returns whether the kinds of people or things that two figures count exclude each other. */
export const areKindsApart = (a: ReadonlySet<string>, b: ReadonlySet<string>): boolean =>
  table.apart.some(
    ([x = '', y = '']) =>
      (a.has(x) && !a.has(y) && b.has(y) && !b.has(x)) || (a.has(y) && !a.has(x) && b.has(x) && !b.has(y)),
  );

const isAlike = (a: string, b: string): boolean =>
  isAlikeMeasure(a, b) || table.alikeClasses.some((group) => group.includes(a) && group.includes(b));

/** Returns whether two non-empty sets have nothing in common. */
export const disjoint = (a: ReadonlySet<string>, b: ReadonlySet<string>): boolean =>
  a.size > 0 && b.size > 0 && ![...a].some((one) => b.has(one));
