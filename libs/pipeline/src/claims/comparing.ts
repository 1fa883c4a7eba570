import type { CheckedClaim, Finding, RunSettings } from '@casefile/contracts';
import { contradictionFinding } from '../parts/contradicting.js';
import { inLine } from '../plain-text.js';
import type { Critique, ReviewInput } from '../stage-parts.js';

const SHOWN = 160;

/**
 * Wraps a critique and adds the claims of a draft, compared with the parts that they cite. Each contradicted claim becomes
 * a finding against the conclusion, and the ruling is at least WARN.
 */
export function comparing(
  claimsOf: (input: ReviewInput, settings: RunSettings) => CheckedClaim[],
  critique: Critique,
): Critique {
  return async (input, ports) => {
    const outcome = await critique(input, ports);
    if (!('artifact' in outcome)) return outcome;
    const claims = claimsOf(input, ports.run.settings);
    if (claims.length === 0) return outcome;
    const claimFindings = claims.flatMap(findingsOf);
    const { ruling, findings, ...rest } = outcome.artifact;
    return {
      ...outcome,
      artifact: {
        ...rest,
        ruling: claimFindings.length > 0 && ruling === 'PASS' ? 'WARN' : ruling,
        findings: [...new Map([...claimFindings, ...findings].map((one) => [one.id, one])).values()],
        claims,
      },
    };
  };
}

function findingsOf({ text, parts }: CheckedClaim): Finding[] {
  const against = parts.find(({ result }) => result === 'contradicted');
  if (against === undefined) return [];
  const { dimension, says, source } = against;
  const where = source === null ? '' : ` [${source}]`;
  const message = `“${inLine(text, SHOWN)}” ≠ “${inLine(says, SHOWN)}”${where} (${dimension})`;
  return [contradictionFinding({ by: `claim_${dimension}`, message })];
}
