import type { Attributes, ClaimedWork, Verdict } from '@casefile/contracts';
import type { Presenting } from '@casefile/pipeline';
import { ATTRIBUTES } from '@casefile/telemetry';

/** S1-64: what the log says of every verdict, in the words of its kind of case. */
export function verdictFacts(verdict: Verdict, { word, answer }: Pick<Presenting, 'word' | 'answer'>) {
  const { outcome, disposition, confidence, method, degradedBy, degradedNote } = verdict;
  const words = { outcome: word(verdict), answer: answer(outcome) };
  return { disposition, ...words, confidence, method, degradedBy, degradedNote };
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
