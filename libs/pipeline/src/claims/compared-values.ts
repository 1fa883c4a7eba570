import type { TypedClaim } from '@casefile/contracts';
import { citedSegments, type CitedPlaces } from './cited-places.js';
import { measuresIn } from './measures.js';

/** What a claim compares: the first side exceeds the second, or the reverse. */
export interface ComparedSides {
  isMore: boolean;
  left: ReadonlySet<string>;
  right: ReadonlySet<string>;
}

const MOST_CLAUSES = 12;
const LONGEST = 400;

/** Words and numbers of a clause, and the value that it states of each kind of quantity. */
interface ValuedClause {
  text: string;
  terms: ReadonlySet<string>;
  values: ReadonlyMap<string, number>;
}

/**
 * Compares the values that a cited line states of both sides of a comparison: `north is busier than south` of
 * `north 3 of 12, south 12 of 12`. Returns null if no line has both sides with a value of one kind.
 * @param termsOf Returns the words and numbers by which a side is recognised.
 */
export function checkComparedValues(
  claim: string,
  sides: ComparedSides,
  cited: readonly CitedPlaces[],
  termsOf: (text: string) => ReadonlySet<string>,
): TypedClaim | null {
  for (const one of cited) {
    if (one.sort !== 'lines') continue;
    for (const line of citedSegments(one)) {
      const named = new Set([...sides.left, ...sides.right]);
      const clauses = line
        .slice(0, LONGEST)
        .split(/[,;|]\s|[，；、]/u)
        .slice(0, MOST_CLAUSES)
        .map((text) => valuedClause(text, one.language.code, { named, termsOf }))
        .filter(({ values }) => values.size > 0);
      const isMore = exceeds(clauses, sides);
      if (isMore === null) continue;
      const result = isMore === sides.isMore ? 'holds' : 'contradicted';
      const says = line.slice(0, 200);
      return { dimension: 'comparison', stated: claim.slice(0, 200), says, source: one.id, result };
    }
  }
  return null;
}

function valuedClause(
  text: string,
  language: string | null,
  { named, termsOf }: { named: ReadonlySet<string>; termsOf: (text: string) => ReadonlySet<string> },
): ValuedClause {
  const values = new Map<string, number>();
  for (const { dimension, base, said } of measuresIn(text, language)) {
    // `Pump 5` is a name, if the claim names it so.
    if (dimension === null && named.has(said.trim())) continue;
    const key = dimension ?? 'count';
    if (!values.has(key)) values.set(key, base);
  }
  return { text, terms: termsOf(text), values };
}

/** Returns whether the left side exceeds the right one; null: the clauses do not state both, or state them equal. */
function exceeds(clauses: readonly ValuedClause[], { left, right }: ComparedSides): boolean | null {
  for (const one of clauses)
    for (const other of clauses) {
      if (one === other) continue;
      const [ownTerms, otherTerms] = [without(one.terms, other.terms), without(other.terms, one.terms)];
      const isOrdered = shares(left, ownTerms) && shares(right, otherTerms);
      const isSwapped = shares(left, otherTerms) && shares(right, ownTerms);
      const kinds = [...one.values.keys()].filter((kind) => other.values.has(kind));
      const [kind] = kinds;
      if (!isOrdered || isSwapped || kinds.length !== 1 || kind === undefined) continue;
      const [a, b] = [one.values.get(kind)!, other.values.get(kind)!];
      if (a !== b) return a > b;
    }
  return null;
}

const shares = (a: ReadonlySet<string>, b: ReadonlySet<string>): boolean =>
  [...a].some((term) => b.has(term));
const without = (a: ReadonlySet<string>, b: ReadonlySet<string>): Set<string> =>
  new Set([...a].filter((term) => !b.has(term)));
