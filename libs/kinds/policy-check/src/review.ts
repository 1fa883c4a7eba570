import {
  done,
  refutedCitationSchema,
  z,
  type Citation,
  type Finding,
  type RefutedCitation,
} from '@casefile/contracts';
import { inLine } from '@casefile/pipeline/plain-text';
import { problemInWords } from './words.js';
import type { Critique } from '@casefile/pipeline/stage-parts';

const MAX_FINDINGS = 50;
const answerSchema = z.object({ refuted: z.array(refutedCitationSchema) });

/**
 * Reports the citations of an answer that could not be verified. Findings only warn: the draft stays
 * unchanged, because its confidence was already lowered. An answer without data about its citations was not
 * verified.
 */
export const verifiedCitations: Critique = async ({ draft }) => {
  const read = answerSchema.safeParse(draft.answer);
  const found = read.success ? read.data.refuted.map(refutedCitationFinding) : [NOT_VERIFIED];
  const each = new Map(found.map((finding) => [finding.id, finding]));
  const findings = [...each.values()].slice(0, MAX_FINDINGS);
  const ruling = findings.length === 0 ? 'PASS' : 'WARN';
  return done({ ruling, findings, reviewer: 'verified-citations' });
};

const NOT_VERIFIED: Finding = {
  id: 'not_verified',
  code: 'not_verified',
  message: 'The draft does not say whether its citations were verified.',
};

// The same citation that failed for the same reason gets the same id.
function refutedCitationFinding({ citation, problem }: RefutedCitation): Finding {
  const [where, what] = citationParts(citation).map((part) => inLine(part, 200)) as [string, string];
  return {
    id: `${problem}:${citation.kind}:${where}:${what}`,
    code: problem,
    message: `A citation does not hold: ${where}, ${what}: ${problemInWords(problem)}.`,
  };
}

function citationParts(citation: Citation): [where: string, what: string] {
  switch (citation.kind) {
    case 'quote':
      return [citation.nodeId, `“${citation.quote}”`];
    case 'fact':
      return [citation.fact, [citation.value, citation.unit ?? ''].join(' ').trim()];
    case 'absence':
      return [citation.of, citation.asked];
  }
}
