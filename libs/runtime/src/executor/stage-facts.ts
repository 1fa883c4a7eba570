import type { Attributes, ClaimedWork, Verdict } from '@casefile/contracts';
import { ATTRIBUTES } from '@casefile/telemetry';

/** S1-64: what the log says of every verdict. */
export function verdictFacts({
  outcome,
  disposition,
  confidence,
  method,
  degradedBy,
  degradedNote,
}: Verdict) {
  const { riskLevel, action, status } = outcome;
  const word = [riskLevel, action, status].find((value) => typeof value === 'string');
  return { disposition, outcome: word, confidence, method, degradedBy, degradedNote };
}

/** What the span of a stage says of its unit. */
export function factsOf({ lease, caseId, lane, settings }: ClaimedWork): Attributes {
  return {
    [ATTRIBUTES.stage]: lease.stage,
    [ATTRIBUTES.runId]: lease.runId,
    [ATTRIBUTES.caseId]: caseId,
    [ATTRIBUTES.round]: lease.round,
    [ATTRIBUTES.lane]: lane,
    [ATTRIBUTES.playbook]: settings.playbook,
  };
}
