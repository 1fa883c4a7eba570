import { isApart, isSameValue, isWithin } from './bounds.js';
import {
  areKindsApart,
  countedObject,
  countsSame,
  disjoint,
  fatesIn,
  kindsIn,
  type CountedObject,
} from './counted.js';
import { figuresIn, type Figure } from './figures.js';
import { isStopWord } from './function-words.js';
import { countShared, shinglesOf, wordStem } from './shingles.js';

/** Role of a figure: the start or result of a change, or a whole or part of something. */
type Role = 'start' | 'result' | 'whole' | 'part';

export interface Quantity extends Figure, CountedObject {
  kinds: ReadonlySet<string>;
  /** Fates of the people that other figures of the sentence count. */
  fatesOfOthers: ReadonlySet<string>;
  sentence: string;
  /** Whether the figure is the start or result of a change, or a whole or a part; null: none of these. */
  role: Role | null;
  /** Words of the clauses that lead to the figure and of the rest of its clause. */
  frame: ReadonlySet<string>;
}

const ENDS_SENTENCE = /[。！？\n]|[.!?](?=\s|$)/gu;
const ENDS_CLAUSE = /[，、；：,;:]|\s(?:and|but|while|whereas|although|including)\s|而|但/gu;
const LONGEST = 300;

/**
 * Returns the figures of a text with what they count. Linear: each reads a bounded number of characters
 * around it.
 */
export function quantitiesIn(text: string): Quantity[] {
  const figures = figuresIn(text);
  const ends = matchEnds(text, ENDS_SENTENCE);
  let at = 0;
  const quantities = figures.map((figure, i): Quantity => {
    while (at < ends.length && ends[at]! <= figure.from) at += 1;
    const start = Math.max(at === 0 ? 0 : ends[at - 1]!, figure.from - LONGEST);
    const end = Math.min(ends[at] ?? text.length, figure.end + LONGEST);
    const [previous, next] = [figures[i - 1], figures[i + 1]];
    const from = Math.max(start, Math.min(previous?.end ?? 0, figure.from));
    const to = Math.max(figure.end, Math.min(end, next?.from ?? text.length));
    // The rest of the previous figure's clause belongs to that figure.
    const between = text.slice(from, figure.from);
    const before = previous === undefined || from === start ? between : between.slice(clauseRest(between));
    const behind = text.slice(figure.end, to);
    const tail = behind.slice(0, firstMatch(behind, ENDS_CLAUSE));
    const lead = before.slice(lastMatchEnd(before, ENDS_CLAUSE));
    const sentence = text.slice(start, end);
    return {
      ...figure,
      ...countedObject(figure, { lead, tail }),
      kinds: kindsIn(tail),
      fatesOfOthers: new Set(),
      sentence,
      role: figureRole(before, behind, next !== undefined),
      frame: frameWords(`${before} ${tail}`),
    };
  });
  return quantities
    .map((one, i) => withUnitOfRange(one, quantities[i + 1]))
    .map(asClaim)
    .map(withOthers);
}

const MOST_NEAR = 12;

function withOthers(one: Quantity, i: number, all: readonly Quantity[]): Quantity {
  const near = all.slice(Math.max(0, i - MOST_NEAR), i + MOST_NEAR + 1);
  const others = near.filter((other) => other !== one && other.sentence === one.sentence);
  return { ...one, fatesOfOthers: new Set(others.flatMap(({ fates }) => [...fates])) };
}

// `6,000 to 10,000 dollars`: the first figure has the unit of the second.
function withUnitOfRange(one: Quantity, next: Quantity | undefined): Quantity {
  if (one.bound !== 'from' || one.unit !== null || next === undefined) return one;
  const { unit, isMeasure, per } = next;
  return { ...one, unit, isMeasure, per };
}

// A word for a number counts as a claim if it has a unit: `four months`.
const asClaim = (one: Quantity): Quantity =>
  one.isSlight && one.value >= 2 && (one.isMeasure || one.bound === 'from' || one.bound === 'to')
    ? { ...one, isSlight: false }
    : one;

function matchEnds(text: string, form: RegExp): number[] {
  return [...text.matchAll(form)].map((match) => match.index + match[0].length);
}
const firstMatch = (text: string, form: RegExp): number => text.search(new RegExp(form.source, 'u')) >>> 0;
const clauseRest = (text: string): number => {
  const at = firstMatch(text, ENDS_CLAUSE);
  return at < text.length ? at : 0;
};
const lastMatchEnd = (text: string, form: RegExp): number => matchEnds(text, form).at(-1) ?? 0;

const STARTS = /(?:由|從|原為|原本的?|自)[^，。；\d]{0,8}$|\bfrom (?:\w+ )?[$€£]?$/iu;
const RESULTS = /(?:為|至|到|成)[^，。；\d]{0,4}$|\b(?:to|reach(?:es|ed)?) [$€£]?$/iu;
const WHOLE = /^[^，。；\d]{0,6}[中裡][，,]?[^，。；\d]{0,4}$/u;
const OPPOSITE_ROLES: readonly (readonly [Role, Role])[] = [
  ['start', 'result'],
  ['result', 'start'],
  ['whole', 'part'],
  ['part', 'whole'],
];

function figureRole(before: string, behind: string, hasNext: boolean): Role | null {
  const lead = before.slice(-24);
  if (hasNext && (WHOLE.test(behind.slice(0, 16)) || /其中[^，。；\d]{0,4}$/u.test(behind.slice(0, 24))))
    return 'whole';
  if (/其中[^，。；\d]{0,6}$|[中裡][，,]?有?[^，。；\d]{0,3}$/u.test(lead)) return 'part';
  if (STARTS.test(lead)) return 'start';
  return RESULTS.test(lead) ? 'result' : null;
}

function frameWords(text: string): Set<string> {
  const words = shinglesOf(text);
  for (const [word] of text.toLowerCase().matchAll(/(?<![a-z0-9])[a-z][a-z0-9]{1,2}(?![a-z0-9])/g))
    if (word.length > 2 && !isStopWord(word)) words.add(word);
  return words;
}

/**
 * Result of comparing a figure of a source with a claimed one of the same value: support, or the difference.
 */
export type Comparison = 'supports' | 'unit' | 'comparative' | 'other' | 'value';

/** Compares a claimed figure with a figure of a source. */
export function compareQuantities(claimed: Quantity, source: Quantity): Comparison {
  const isSame = isSameValue(claimed.value, source.value);
  const within = isWithin(claimed, source);
  if (!isSame && !within) return 'value';
  if (OPPOSITE_ROLES.some(([a, b]) => claimed.role === a && source.role === b)) return 'other';
  if (
    !countsSame(claimed, source) ||
    areKindsApart(claimed.kinds, source.kinds) ||
    areWordsApart(claimed, source) ||
    !hasFates(claimed, source)
  )
    return 'unit';
  return within ? 'supports' : 'comparative';
}

// Returns whether each word has no counterpart in the other sentence: `beekeepers` for `hives`.
function areWordsApart(claimed: Quantity, source: Quantity): boolean {
  if (claimed.isMeasure || source.isMeasure) return false;
  const [a, b] = [claimed.word, source.word].map((word) => wordStem(word).slice(0, 5)) as [string, string];
  if (a.length < 4 || b.length < 4 || (claimed.unit !== null && claimed.unit === source.unit)) return false;
  return !source.sentence.toLowerCase().includes(a) && !claimed.sentence.toLowerCase().includes(b);
}

// The source must state the same fates for the people that a claim counts.
function hasFates(claimed: Quantity, source: Quantity): boolean {
  if (claimed.fates.size === 0 || claimed.isMeasure) return true;
  if (source.fates.size > 0) return !disjoint(claimed.fates, source.fates);
  const stated = [...fatesIn(source.sentence)].filter((fate) => !source.fatesOfOthers.has(fate));
  return !disjoint(claimed.fates, new Set([...stated, '']));
}

/** Least number of words that a rival figure shares with a claim and the matching figure does not. */
const LEAST_RIVAL = 2;
/** Least share of common words, relative to the shorter frame, for two figures to be of one quantity. */
const SAME_FRAME = 0.4;

/**
 * Returns a figure of the source for the claimed quantity with another value, if the source also has the
 * claimed value: `the rate was 3.9 %` although 3.9 % was the rate of the year before. Returns null if there
 * is none.
 * @param claims All figures that the sentence claims. Such a figure is never returned.
 */
export function findRival(
  claimed: Quantity,
  match: Quantity,
  { all, claims }: { all: readonly Quantity[]; claims: readonly Quantity[] },
): Quantity | null {
  let best: { rival: Quantity; more: number } | null = null;
  for (const rival of all) {
    if (rival === match || rival.isSlight || compareQuantities(claimed, rival) === 'supports') continue;
    if (!isOfUnit(rival, claimed) || !countsSame(claimed, rival) || !isApart(claimed, rival)) continue;
    if (claims.some((one) => one.value === rival.value) || arePaired(match, rival)) continue;
    const more = countShared(claimed.frame, without(rival.frame, match.frame));
    const less = countShared(claimed.frame, without(match.frame, rival.frame));
    if (more < LEAST_RIVAL || less > 0 || (best !== null && more <= best.more)) continue;
    if (!isOfOtherYear(claimed, match, rival)) best = { rival, more };
  }
  return best?.rival ?? null;
}

/**
 * Returns the figure by which another source contradicts a claimed one. Returns null if the source has no
 * such figure or supports the claim.
 */
export function findContradictingFigure(claimed: Quantity, all: readonly Quantity[]): Quantity | null {
  if (all.some((one) => compareQuantities(claimed, one) === 'supports')) return null;
  return all.find((one) => !one.isSlight && isOfQuantity(one, claimed) && isApart(claimed, one)) ?? null;
}

function isOfQuantity(one: Quantity, claimed: Quantity): boolean {
  if (!isOfUnit(one, claimed) || !countsSame(claimed, one) || disjoint(claimed.fates, one.fates))
    return false;
  const common = countShared(claimed.frame, one.frame);
  const isOfFate = claimed.fates.size > 0 && one.fates.size > 0;
  return (
    isOfFate || (common >= LEAST_RIVAL && common >= SAME_FRAME * Math.min(claimed.frame.size, one.frame.size))
  );
}

const YEAR = /(?<![\d.,])(?:19|20)\d\d(?![\d%]|[.,]\d)/gu;
const yearsOf = ({ sentence }: Quantity): Set<string> => new Set(sentence.match(YEAR));

// Returns whether the claimed year is that of the matching figure, and the rival is of another: `In 2016 it was 610.
// In 2026 it is 1,140.`
function isOfOtherYear(claimed: Quantity, match: Quantity, rival: Quantity): boolean {
  const [own, matching, other] = [yearsOf(claimed), yearsOf(match), yearsOf(rival)];
  return !disjoint(own, matching) && other.size > 0 && disjoint(own, other);
}

// Both ends of a range or change, or whole and part, have their words in common.
const arePaired = (a: Quantity, b: Quantity): boolean =>
  a.sentence === b.sentence &&
  ((a.bound === 'from' && b.bound === 'to') ||
    (a.bound === 'to' && b.bound === 'from') ||
    (a.role === 'start' && b.role === 'result') ||
    (a.role === 'result' && b.role === 'start'));

// Bare figures are of one quantity only if the same word follows both.
const isOfUnit = (a: Quantity, b: Quantity): boolean =>
  a.unit === null ? b.unit === null && a.word !== '' && a.word === b.word : a.unit === b.unit;

const without = (a: ReadonlySet<string>, b: ReadonlySet<string>): Set<string> =>
  new Set([...a].filter((one) => !b.has(one)));
