import type { TypedClaim } from '@casefile/contracts';
import { boundBefore } from '../reading/bounds.js';
import { citedSegments, type CitedPlaces } from './cited-places.js';
import { citedClauses } from './subject.js';
import { isOtherUnit, isSameMeasure, measuresIn, sharesIn, type Measure } from './measures.js';

const MOST_CLAIMED = 12;
const LEAD = 40;

/**
 * Compares the figures of a claim with the cited parts. A figure holds if a cited part has it, in any unit of its kind.
 * It is contradicted if the cited parts have the number with another unit, or break the limit that the claim states.
 */
export function checkQuantities(
  claim: string,
  language: string | null,
  cited: readonly CitedPlaces[],
): TypedClaim[] {
  const claimed = [...measuresIn(claim, language), ...sharesIn(claim)].slice(0, MOST_CLAIMED);
  if (claimed.length === 0) return [];
  const near = cited.flatMap((one) => withSource(one, citedClauses(one)));
  const far = cited.flatMap((one) => withSource(one, citedSegments(one)));
  return claimed.flatMap((one) => {
    const comparison = compared(one, claim, near, far);
    return comparison === null ? [] : [{ dimension: 'quantity' as const, stated: one.said, ...comparison }];
  });
}

type Sourced = Measure & { source: string };

const withSource = ({ id, language: { code } }: CitedPlaces, parts: readonly string[]): Sourced[] =>
  parts.flatMap((part) =>
    [...measuresIn(part, code), ...sharesIn(part)].map((one) => ({ ...one, source: id })),
  );

function compared(
  claimed: Measure,
  claim: string,
  near: readonly Sourced[],
  far: readonly Sourced[],
): Pick<TypedClaim, 'says' | 'source' | 'result'> | null {
  const limit = limitOf(claimed, claim);
  const bound = limit === null ? null : boundedBy(claimed, limit, near);
  if (bound !== null) return bound;
  const same =
    near.find((one) => isSameMeasure(claimed, one)) ?? far.find((one) => isSameMeasure(claimed, one));
  if (same !== undefined) return { says: same.said, source: same.source, result: 'holds' };
  const other = near.find((one) => isOtherUnit(claimed, one)) ?? far.find((one) => isOtherUnit(claimed, one));
  if (other !== undefined) return { says: other.said, source: other.source, result: 'contradicted' };
  // Bare small numbers are mostly words of the sentence.
  if (claimed.dimension === null && claimed.value < 10) return null;
  return { says: 'not in the cited parts', source: null, result: 'not_checked' };
}

type Limit = 'above' | 'below';

function limitOf(claimed: Measure, claim: string): Limit | null {
  const lead = claim.slice(Math.max(0, claimed.from - LEAD), claimed.from);
  switch (boundBefore(lead)?.bound) {
    case 'over':
    case 'least':
      return 'above';
    case 'under':
    case 'most':
      return 'below';
    default:
      return null;
  }
}

/** Compares a limit with the only figure of its kind in the cited parts; null: there are several, or none. */
function boundedBy(
  claimed: Measure,
  limit: Limit,
  near: readonly Sourced[],
): Pick<TypedClaim, 'says' | 'source' | 'result'> | null {
  if (claimed.dimension === null) return null;
  const own = near.filter(({ dimension }) => dimension === claimed.dimension);
  const [only] = own;
  if (only === undefined || own.some(({ base }) => base !== only.base)) return null;
  const isKept = limit === 'above' ? only.base >= claimed.base : only.base <= claimed.base;
  return { says: only.said, source: only.source, result: isKept ? 'holds' : 'contradicted' };
}
