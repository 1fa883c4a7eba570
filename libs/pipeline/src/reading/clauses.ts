import { isStopWord } from './function-words.js';
import { withoutNegations, withoutPseudoNegations } from './negation.js';
import { HAN_RUN } from './script.js';
import { countShared, wordStem } from './shingles.js';
import table from './words/opposites.json' with { type: 'json' };
import { anyOf } from './words.js';

/** The words of a clause, without negations and without words that have an opposite. */
export interface Clause {
  text: string;
  words: ReadonlySet<string>;
  /** Whether the number of its negations is odd. */
  isNegated: boolean;
  /** Side of each pair of opposites in the clause: 1, -1, or 0 for both. */
  sides: ReadonlyMap<string, number>;
}

/** The way in which a sentence contradicts a clause with the same words. */
interface Difference {
  kind: 'polarity' | 'comparative' | 'verb';
  claim: string;
  source: string;
}

/** Pairs of words with opposite meanings. */
const OPPOSITES = table.map(({ kind, first, second }, i) => ({
  key: `${kind}-${i}`,
  kind: kind as 'comparative' | 'verb',
  first: new RegExp(anyOf(first), 'giu'),
  second: new RegExp(anyOf(second), 'giu'),
}));

const CUTS =
  /[，。；：、！？,;:!?\n]|\.(?=\s|$)|(?:但是?|不過|然而|而且|除了)|\b(?:but|however|although|though|whereas|while|because|unless|except)\b/giu;
const LONGEST = 400;

/** Returns the clauses of a text. Linear: each character is read a bounded number of times. */
export function clausesOf(text: string): Clause[] {
  const normal = text.normalize('NFKC').replaceAll('臺', '台');
  const clauses: Clause[] = [];
  let from = 0;
  const add = (to: number) => {
    for (; from < to; from += LONGEST) {
      const clause = toClause(normal.slice(from, Math.min(to, from + LONGEST)));
      const last = clauses.at(-1);
      // `, the highest value` belongs to the clause before it.
      const joined =
        clause !== null && clause.words.size < LEAST_WORDS && last !== undefined && last.text.length < LONGEST
          ? toClause(`${last.text} ${clause.text}`)
          : null;
      if (joined !== null) clauses[clauses.length - 1] = joined;
      else if (clause !== null) clauses.push(clause);
    }
    from = to;
  };
  for (const { index, 0: mark } of normal.matchAll(CUTS)) {
    add(index);
    from = index + mark.length;
  }
  add(normal.length);
  return clauses;
}

function toClause(text: string): Clause | null {
  const plain = withoutPseudoNegations(text).toLowerCase();
  const sides = new Map<string, number>();
  for (const { key, first, second } of OPPOSITES) {
    const [a, b] = [first.test(plain), second.test(plain)];
    first.lastIndex = second.lastIndex = 0;
    if (a || b) sides.set(key, a && b ? 0 : a ? 1 : -1);
  }
  const { rest, count } = withoutNegations(plain);
  const words = textWords(
    OPPOSITES.reduce((left, { first, second }) => left.replaceAll(first, ' ').replaceAll(second, ' '), rest),
  );
  return words.size === 0 ? null : { text: text.trim(), words, isNegated: count % 2 === 1, sides };
}

function textWords(text: string): Set<string> {
  const words = new Set<string>();
  for (const [run] of text.matchAll(HAN_RUN))
    for (let i = 0; i < run.length; i += 1) words.add(run.slice(i, i + 2).padEnd(1));
  for (const [word] of text.matchAll(/[\p{Script=Latin}\d][\p{Script=Latin}\d.,%-]{0,60}/gu)) {
    const stem = wordStem(word.replace(/[.,-]{1,3}$/, '')).slice(0, 6);
    if (!isStopWord(word) && stem !== '') words.add(stem);
  }
  return words;
}

/** Least share of its words that each of two clauses must share with the other one. */
interface Likeness {
  ofClaim: number;
  ofSource: number;
}
const SAME_CLAUSE: Likeness = { ofClaim: 0.8, ofSource: 0.6 };
const SAME_SUBJECT: Likeness = { ofClaim: 0.45, ofSource: 0 };
/** Alternative: the share of the words of the source's clause, with a minimum number of words. */
const COVERED = 0.8;
const LEAST_COVERED = 3;
const LEAST_WORDS = 2;
/** Maximum number of clauses that are compared, of a sentence and of its sources. */
const MOST_OF_CLAIM = 20;
const MOST_OF_SOURCES = 5_000;

/**
 * Returns the contradiction between a sentence and the clauses of its sources that have the same words: an
 * extra or missing negation, or the opposite comparative or verb. Returns null if there is none. A clause
 * that agrees outweighs a clause that contradicts.
 */
export function findOpposite(claim: string, clauses: readonly Clause[]): Difference | null {
  for (const one of clausesOf(claim).slice(0, MOST_OF_CLAIM)) {
    const opposite = oppositeIn(one, clauses);
    if (opposite !== null) return { ...opposite, claim: one.text };
  }
  return null;
}

function oppositeIn(claim: Clause, clauses: readonly Clause[]): Omit<Difference, 'claim'> | null {
  const weighed = clauses
    .slice(0, MOST_OF_SOURCES)
    .map((clause) => ({ clause, common: countShared(claim.words, clause.words) }))
    .filter(({ common: count }) => count >= LEAST_WORDS)
    .sort((a, b) => b.common - a.common);
  const like = ({ clause, common: count }: (typeof weighed)[number], { ofClaim, ofSource }: Likeness) =>
    (count >= ofClaim * claim.words.size && count >= ofSource * clause.words.size) ||
    (ofSource === 0 && count >= LEAST_COVERED && count >= COVERED * clause.words.size);
  const equal = weighed.filter((one) => like(one, SAME_CLAUSE) && !holdsWhole(one.clause.text, claim.text));
  if (
    equal.length > 0 &&
    equal.every(({ clause }) => clause.isNegated !== claim.isNegated && !isOpposed(claim, clause))
  )
    return { kind: 'polarity', source: equal[0]!.clause.text };
  const about = weighed.filter((one) => like(one, SAME_SUBJECT));
  for (const { key, kind } of OPPOSITES) {
    const side = claim.sides.get(key);
    // If a clause has several predicates, the verb may belong to another one, so it proves no contradiction.
    if (side === undefined || side === 0 || (kind === 'verb' && SEVERAL.test(claim.text))) continue;
    const sides = about.map(({ clause }) => {
      const side = clause.sides.get(key);
      return side === undefined || clause.isNegated !== claim.isNegated ? 0 : side;
    });
    const at = sides.indexOf(-side);
    if (at >= 0 && !sides.includes(side)) return { kind, source: about[at]!.clause.text };
  }
  return null;
}

/** `X confirmed 310 cases and no change at Y` does not deny `X confirmed 310 cases`. */
const holdsWhole = (source: string, claim: string): boolean =>
  source.length > claim.length &&
  /^\s(?:and|but|or)\s/iu.test(source.slice(claim.length)) &&
  source.startsWith(claim);

const SEVERAL = /\band\b/iu;

const isOpposed = (a: Clause, b: Clause): boolean =>
  [...a.sides].some(([key, side]) => side !== 0 && b.sides.get(key) === -side);
