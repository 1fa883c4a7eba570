import type { TypedClaim } from '@casefile/contracts';
import { citedSegments, type CitedPlaces } from './cited-places.js';
import { checkComparedValues } from './compared-values.js';
import { countShared } from '../reading/shingles.js';
import { measuresIn, type Measure } from './measures.js';
import { contentWords, namesIn } from './names.js';
import { WordList } from './word-lists.js';
import table from './words/comparatives.json' with { type: 'json' };

const PAIRS = table.map(({ more, less }) => ({ more: new WordList(more), less: new WordList(less) }));
/** Pairs of words that compare amounts: more and less, longer and shorter. */
const OF_AMOUNTS: ReadonlySet<number> = new Set([0, 1]);
const BETWEEN = 60;
const MOST_SEGMENTS = 200;
const LONGEST = 400;

/** A comparison: `left` exceeds `right`, or the reverse. */
interface Compared {
  pair: number;
  isMore: boolean;
  left: ReadonlySet<string>;
  right: ReadonlySet<string>;
  said: string;
}

/** Compares figures that a claim compares, and who exceeds whom with the cited parts. */
export function checkComparison(
  claim: string,
  language: string | null,
  cited: readonly CitedPlaces[],
): TypedClaim[] {
  return [...ofFigures(claim, language), ...ofNames(claim, language, cited)];
}

function ofFigures(claim: string, language: string | null): TypedClaim[] {
  const measures = measuresIn(claim, language);
  return measures.flatMap((one, i): TypedClaim[] => {
    const next = measures[i + 1];
    if (next === undefined || next.dimension !== one.dimension || one.dimension === null) return [];
    const between = claim.slice(one.to, next.from);
    if (between.length > BETWEEN || /[.;。；]/u.test(between)) return [];
    const side = sideOf(between, language);
    if (side === null || one.base === next.base) return [];
    const isRight = side.isMore === one.base > next.base;
    return [figures(one, next, claim, isRight)];
  });
}

const figures = (one: Measure, next: Measure, claim: string, isRight: boolean): TypedClaim => ({
  dimension: 'comparison',
  stated: claim.slice(one.from, next.to),
  says: `${one.said} is ${one.base > next.base ? 'more' : 'less'} than ${next.said}`,
  source: null,
  result: isRight ? 'holds' : 'contradicted',
});

function sideOf(
  text: string,
  language: string | null,
): { pair: number; isMore: boolean; from: number; to: number } | null {
  for (const [pair, { more, less }] of PAIRS.entries()) {
    const [up, down] = [more.first(text, language), less.first(text, language)];
    if ((up === null) !== (down === null)) {
      const { from, to } = (up ?? down)!;
      return { pair, isMore: up !== null, from, to };
    }
  }
  return null;
}

function ofNames(claim: string, language: string | null, cited: readonly CitedPlaces[]): TypedClaim[] {
  const own = comparisonIn(claim, language);
  if (own === null) return [];
  for (const one of cited) {
    const segments = one.sort === 'prose' ? one.segments.slice(0, MOST_SEGMENTS) : citedSegments(one);
    for (const segment of segments) {
      const other = comparisonIn(segment, one.language.code);
      if (other === null || other.pair !== own.pair) continue;
      const isStraight = standsStraight(own, other, isNamed) ?? standsStraight(own, other, () => true);
      if (isStraight === null) continue;
      const result = isStraight === (own.isMore === other.isMore) ? 'holds' : 'contradicted';
      return [
        { dimension: 'comparison', stated: own.said, says: segment.slice(0, 200), source: one.id, result },
      ];
    }
  }
  const sides = OF_AMOUNTS.has(own.pair) ? comparisonIn(claim, language, sideTermsOf) : null;
  const ofValues = sides === null ? null : checkComparedValues(claim, sides, cited, sideTermsOf);
  return ofValues === null ? [] : [ofValues];
}

const isNamed = (term: string): boolean => term.startsWith(NAMED) || /^\d/.test(term);
/** Mark before a word with a capital, which is a name in most languages. */
const NAMED = '*';

/**
 * Returns whether what is compared stands on the same sides; null: the sides are not the same. Words such as the verb stand on
 * either side, so the order with more shared words counts.
 */
function standsStraight(
  a: Pick<Compared, 'left' | 'right'>,
  b: Pick<Compared, 'left' | 'right'>,
  counts: (term: string) => boolean,
): boolean | null {
  const of = (terms: Terms) => new Set([...terms].filter(counts));
  const [left, right, otherLeft, otherRight] = [of(a.left), of(a.right), of(b.left), of(b.right)];
  const straight = sharedSides(left, otherLeft, right, otherRight);
  const swapped = sharedSides(left, otherRight, right, otherLeft);
  return straight === swapped ? null : straight > swapped;
}

/** Returns the words that two pairs of sides share; 0: one of the pairs shares none. */
function sharedSides(a: Terms, b: Terms, c: Terms, d: Terms): number {
  const [one, other] = [countShared(a, b), countShared(c, d)];
  return one === 0 || other === 0 ? 0 : one + other;
}
type Terms = ReadonlySet<string>;

function comparisonIn(text: string, language: string | null, terms = termsOf): Compared | null {
  const read = text.slice(0, LONGEST);
  const side = sideOf(read, language);
  if (side === null) return null;
  const [before, behind] = sidesOf(read, side);
  const [left, right] = [terms(before), terms(behind)];
  // Words on both sides are the measure of comparison.
  return {
    pair: side.pair,
    isMore: side.isMore,
    left: without(left, right),
    right: without(right, left),
    said: read,
  };
}

/** Returns what is compared and with what. In Chinese and Japanese both stand before the word that compares. */
function sidesOf(text: string, { from, to }: { from: number; to: number }): [string, string] {
  const lead = text.slice(0, from);
  const than = /比|より/u.exec(lead);
  if (than === null) return [lead, text.slice(to)];
  if (than[0] === '比') return [lead.slice(0, than.index), lead.slice(than.index + 1)];
  const topic = Math.max(lead.indexOf('は'), lead.indexOf('が'));
  return topic >= 0 && topic < than.index
    ? [lead.slice(0, topic), lead.slice(topic + 1, than.index)]
    : [text.slice(to), lead];
}

const termsOf = (text: string): Set<string> => {
  const terms = new Set([...contentWords(text), ...namesIn(text)]);
  for (const [name] of text.matchAll(/(?<![\p{L}\p{N}])\p{Lu}[\p{L}\p{N}]{0,30}/gu))
    terms.add(`${NAMED}${name.toLowerCase()}`);
  // `Line 9` and `Line 4` differ in their numbers.
  for (const [, number = ''] of text.matchAll(/(?<=\p{Lu}\p{L}{0,30} )(\d{1,4})(?!\d|[.,:]\d|%)/gu))
    terms.add(number);
  for (const [run] of text.matchAll(/[\p{Script=Han}\p{Script=Katakana}]{1,100}/gu))
    for (let i = 0; i + 2 <= run.length; i += 1) terms.add(run.slice(i, i + 2));
  return terms;
};

/** Returns the words by which a side of a comparison is recognised in a line: short words, and every number, count too. */
const sideTermsOf = (text: string): Set<string> =>
  new Set([
    ...[...termsOf(text)].filter((term) => !term.startsWith(NAMED)),
    ...[
      ...text.toLowerCase().matchAll(/(?<![\p{L}\p{N}])(?:\p{L}{3,30}|\d{1,4})(?![\p{L}\p{N}]|[.,:]\d)/gu),
    ].map(([word]) => word),
  ]);

const without = (a: ReadonlySet<string>, b: ReadonlySet<string>): Set<string> =>
  new Set([...a].filter((one) => !b.has(one)));
