import { done, type CheckedClaim, type Finding } from '@casefile/contracts';
import { inLine } from '@casefile/pipeline/plain-text';
import type { Critique } from '@casefile/pipeline/stage-parts';
import { claimsOf } from './claims.js';
import { resultIn } from './read-result.js';

const MAX_FINDINGS = 50;

/**
 * Reports the claims and citations of an analysis that failed the check against the look-ups, and compares each conclusion
 * with the lines that it cites.
 */
export const critiqueAnalysis: Critique = async (input) => {
  const { refuted, dropped } = resultIn(input.draft);
  const claims = claimsOf(input);
  const findings: Finding[] = [
    ...claims.flatMap(claimFindings),
    ...dropped.map((cause) => ({
      id: `dropped:${cause}`,
      code: 'no_evidence',
      message: `A cause was left out, for nothing that was read bears it out: ${cause}`,
    })),
    ...refuted.map(({ id, quote, problem }) => ({
      id: `${problem}:${id}:${quote}`,
      code: problem,
      message: `A citation does not hold: ${inLine(id, 32)}, “${quote}”.`,
    })),
  ];
  const each = [...new Map(findings.map((finding) => [finding.id, finding])).values()].slice(0, MAX_FINDINGS);
  return done({
    ruling: each.length === 0 ? 'PASS' : 'WARN',
    findings: each,
    reviewer: 'verified-readings',
    ...(claims.length === 0 ? {} : { claims }),
  });
};

function claimFindings({ id, text, parts }: CheckedClaim): Finding[] {
  const against = parts.find(({ result }) => result === 'contradicted');
  if (against === undefined) return [];
  const { dimension, says, source } = against;
  const where = source === null ? '' : ` [${source}]`;
  return [
    {
      id: `claim_${dimension}:${id}:${inLine(text, 100)}`,
      code: `claim_${dimension}`,
      message: `“${inLine(text, 200)}” does not hold (${dimension}): “${inLine(says, 200)}”${where}.`,
    },
  ];
}
