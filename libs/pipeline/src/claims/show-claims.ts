import type { CheckedClaim, DeclaredSection, Review } from '@casefile/contracts';
import { inertText, listSection } from '../report-markdown.js';
import { inLine } from '../plain-text.js';

const RESULTS = { holds: 'holds', contradicted: 'contradicted', not_checked: 'not checked' } as const;
const SHOWN = 200;

/** A part of a conclusion, as a row of the outcome. */
interface ClaimRow {
  conclusion: string;
  part: string;
  stated: string;
  says: string;
  source: string;
  result: string;
}

/** Returns each part of each conclusion as a row: what was stated, what the source says, and the result. */
export const claimRows = (claims: readonly CheckedClaim[]): ClaimRow[] =>
  claims.flatMap(({ text, parts }) =>
    parts.map(({ dimension, stated, says, source, result }) => ({
      conclusion: inLine(text, SHOWN),
      part: dimension,
      stated: inLine(stated, SHOWN),
      says: inLine(says, SHOWN),
      source: source ?? '',
      result: RESULTS[result],
    })),
  );

/** The section of a case page with the rows of `claimRows` in `outcome.claims`, the same for every kind. */
export const CLAIMS_SECTION: DeclaredSection = {
  show: 'table',
  title: 'Conclusions compared with their sources',
  of: 'outcome.claims',
  columns: ['conclusion', 'part', 'stated', 'says', 'source', 'result'].map((path) => ({
    path,
    label: `${path.charAt(0).toUpperCase()}${path.slice(1)}`,
  })),
};

/** Returns the section of a report with each conclusion and its parts; empty: there are none. */
export function claimsListed({ claims = [] }: Pick<Review, 'claims'>, inert = inertText): string {
  const lines = claimRows(claims).map(
    ({ conclusion, part, says, source, result }) =>
      `${result}: ${conclusion} (${part}: “${says}”${source === '' ? '' : ` [${source}]`})`,
  );
  return listSection('Conclusions compared with their sources', lines, inert);
}

/** Returns one sentence on the parts that were not checked; empty: all were, or there are none. */
export function uncheckedReason(claims: readonly CheckedClaim[]): string[] {
  const parts = [
    ...new Set(
      claims.flatMap((one) =>
        one.parts.filter(({ result }) => result === 'not_checked').map(({ dimension }) => dimension),
      ),
    ),
  ];
  return parts.length === 0 ? [] : [`Not checked by program: ${parts.join(', ')}.`];
}
