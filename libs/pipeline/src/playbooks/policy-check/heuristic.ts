import type { CitableFact, Citation, CriterionStatus, Evidence } from '@casefile/contracts';
import { contentWords } from './content-words.js';
import { knownWords, namedFacts } from './established-facts.js';
import { foundSections, type Sentence } from './found-sections.js';
import { governingRequirement } from './governing-requirement.js';
import { asksForCompliance } from './asked.js';
import type { Finding } from './rule.js';

export { queryOf } from './content-words.js';

/** What a plain rule whose facts are certain is worth: its words were matched, not understood. */
const RULE_CONFIDENCE = 0.9;
/** Of an undecided answer: it says nothing either way. */
const UNDECIDED_CONFIDENCE = 0.5;

export interface HeuristicAnswer {
  status: CriterionStatus;
  /** 0..1. Decided: 0.9 of the least sure reading that was used. */
  confidence: number;
  rationale: string;
  citations: Citation[];
  /** `no_relevant_nodes`, `insufficient_policy_context`, `missing_evidence`, `low_confidence`; null: decided. */
  reasonCode: string | null;
}

/**
 * Checks a criterion without a model: from the sections that were looked up by `queryOf`, the one requirement that
 * plainly answers it is matched, the case's facts are linked to it, and a rule decides. Whatever is not plain is
 * UNCERTAIN: a wrong status is worse than none. S4-40.
 */
export function heuristicAnswer(at: {
  criterion: { id: string; text: string };
  facts: readonly CitableFact[];
  evidence: Evidence;
}): HeuristicAnswer {
  const found = foundSections(at.evidence);
  const { sections, lookedUp } = found;
  if (sections.length === 0) {
    return lookedUp
      ? undecided('no_relevant_nodes', 'No section of the policy has the words of this criterion.', [], 0)
      : undecided('insufficient_policy_context', 'The policy could not be looked up.', [], 0);
  }
  if (!asksForCompliance(at.criterion.text))
    return undecided('low_confidence', 'The criterion is not worded as a rule can take it.');
  const facts = namedFacts(at.facts);
  const asked = contentWords(at.criterion.text);
  const governing = governingRequirement(found, { asked, known: knownWords(facts), facts });
  if ('problem' in governing) {
    const quotes = governing.sentences.map(quoteOf);
    return undecided('insufficient_policy_context', governing.problem, quotes);
  }
  return answerOf(governing.requirement.sentence, governing.finding);
}

function answerOf(sentence: Sentence, finding: Finding): HeuristicAnswer {
  const citations = [quoteOf(sentence), ...finding.facts.map(factCitation)];
  const rationale = `${sentence.section.node.title}: ${finding.why}`;
  if (finding.kind === 'open') return undecided(finding.reasonCode, rationale, citations);
  const least = Math.min(1, ...finding.facts.map(({ confidence }) => confidence));
  return {
    ...{ status: finding.met ? 'MET' : 'NOT_MET', rationale, citations, reasonCode: null },
    confidence: Number((RULE_CONFIDENCE * least).toFixed(4)),
  };
}

function undecided(
  reasonCode: string,
  rationale: string,
  citations: Citation[] = [],
  confidence = UNDECIDED_CONFIDENCE,
): HeuristicAnswer {
  return { status: 'UNCERTAIN', confidence, rationale, citations, reasonCode };
}

function quoteOf({ section: { node }, text }: Sentence): Citation {
  return { kind: 'quote', nodeId: node.nodeId, quote: text };
}

function factCitation({ id, value, unit }: CitableFact): Citation {
  return { kind: 'fact', fact: id, value, ...(unit === undefined ? {} : { unit }) };
}
