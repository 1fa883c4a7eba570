import { done, type Finding } from '@casefile/contracts';
import { inLine } from '@casefile/pipeline/plain-text';
import type { Critique } from '@casefile/pipeline/stage-parts';
import { resultIn } from './result.js';

const MAX_FINDINGS = 50;

/** Reports the claims and citations of an analysis that failed the check against the look-ups. */
export const critiqueAnalysis: Critique = async ({ draft }) => {
  const { refuted, dropped } = resultIn(draft);
  const findings: Finding[] = [
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
  });
};
