import type { Citation, CriterionResult, CriterionStatus, VerifiedCitation } from '@casefile/contracts';
import {
  settledAnswer,
  verifyCitations,
  type CitationFinding,
  type CitationGround,
} from '../../citations/index.js';

/** What was answered, before anything of it was held against its ground. */
export interface Answered {
  status: CriterionStatus;
  confidence: number;
  rationale: string;
  citations: readonly Citation[];
}

export interface Settled {
  result: Pick<CriterionResult, 'status' | 'confidence' | 'rationale' | 'citations' | 'refuted' | 'claimed'>;
  reasonCode: 'low_confidence' | null;
  findings: CitationFinding[];
}

/** What is left of an answer once its citations were verified: those that did not hold are listed and lower its confidence. S4-21, S4-22. */
export function settledResult(
  { status, confidence, rationale, citations }: Answered,
  ground: CitationGround,
  rules: { capByShare: boolean; abstainBelow: number },
): Settled {
  const { findings, refuted, share } = verifyCitations(citations, ground);
  const { reasonCode, ...answer } = settledAnswer({ status, confidence }, { share, ...rules });
  const same = status === answer.status && confidence === answer.confidence;
  return {
    reasonCode,
    findings,
    result: {
      ...{ ...answer, rationale, claimed: same ? null : { status, confidence } },
      citations: findings.flatMap((finding) => verifiedOf(finding, ground)),
      refuted: refuted.flatMap(({ citation, state, problem, instead }) =>
        problem === null ? [] : [{ citation, state, problem, instead }],
      ),
    },
  };
}

function verifiedOf(
  { citation, problem, facts }: CitationFinding,
  { sections }: CitationGround,
): VerifiedCitation[] {
  if (problem !== null) return [];
  if (citation.kind === 'absence') return [citation];
  if (citation.kind === 'fact') return [{ ...citation, factIds: facts }];
  const { title = '', pages = null, confidential } = sections.get(citation.nodeId) ?? {};
  return [{ ...citation, title, pages, ...(confidential === true ? { confidential } : {}) }];
}
