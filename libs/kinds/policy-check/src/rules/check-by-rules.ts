import {
  type CriterionResult,
  type JsonObject,
  type RunSettings,
  type CitableFact,
  type Citation,
  type CriterionStatus,
  type Evidence,
} from '@casefile/contracts';
import type { DraftParts, ReasonInput } from '@casefile/pipeline/strategy';
import { bundleOf, bundleCriterion } from '../case-bundle.js';
import { foundSections, type PolicySentence, knownWords, namedFacts } from './sections-and-facts.js';
import { type GroundSection, settledResult, withheldOf } from '../result.js';
import { options } from '../options.js';
import { contentWords } from './content-words.js';
import { governingRequirement } from './governing-requirement.js';
import { asksForCompliance } from './asks-for-compliance.js';
import { plainLanguage } from './plain-words.js';
import type { RuleFinding } from './rule.js';
import { periodKey, questionPeriods } from '@casefile/pipeline/reading/index';

/**
 * Checks a criterion without a model: words, sections, requirements, facts, rule. Its citations are verified
 * like those of a model (S4-40).
 */
export function checkByRules(
  { brief, evidence }: ReasonInput,
  unit: string,
  settings: RunSettings,
): DraftParts {
  const bundle = bundleOf(brief);
  const criterion = bundleCriterion(bundle, unit);
  const { facts, policy } = bundle;
  const { reasonCode, ...answered } = heuristicAnswer({
    criterion,
    facts,
    evidence,
    language: policy.language,
  });
  const { sections, related } = foundSections(evidence);
  const found = [...sections, ...related].map(({ node }): [string, GroundSection] => [node.nodeId, node]);
  // Rules never cite an absence, so the ground has no look-ups.
  const ground = { sections: new Map(found), facts, lookUps: [] };
  const settled = settledResult(answered, ground, options.read(settings.options));
  const shown = evidence.items.map(({ result: found }) => found);
  const result: CriterionResult = {
    ...criterion,
    policy: { policyId: policy.policyId, version: policy.version },
    ...settled.result,
    reasonCode: settled.reasonCode ?? reasonCode,
    strategy: 'heuristic',
    promptId: null,
    model: null,
    iterations: 0,
    trace: [],
    tokens: { input: 0, output: 0 },
    costUsd: 0,
    ...withheldOf(settled.result, shown, new Map(found)),
  };
  return {
    answer: result as unknown as JsonObject,
    explanation: result.rationale,
    claims: [],
    evidenceUsed: evidence.items.map(({ id }) => id),
    confidence: result.confidence,
    confidenceSource: 'heuristic',
    method: 'heuristic',
    remarks: [],
  };
}

export { textQuery } from './content-words.js';
export { asksForCompliance } from './asks-for-compliance.js';

/** Returns the status that the rules reach for a criterion with certainty, and why; null: they decide nothing. */
export function ruledAnswer(
  { brief, evidence }: Pick<ReasonInput, 'brief' | 'evidence'>,
  unit: string,
): HeuristicAnswer | null {
  const bundle = bundleOf(brief);
  const { facts, policy } = bundle;
  const criterion = bundleCriterion(bundle, unit);
  const answer = heuristicAnswer({ criterion, facts, evidence, language: policy.language });
  return answer.status === 'UNCERTAIN' ? null : answer;
}

/**
 * Confidence of a plain rule with certain facts. It is below 1, because words were matched and not
 * understood.
 */
const RULE_CONFIDENCE = 0.9;
/** Confidence of an undecided answer, which states neither. */
const UNDECIDED_CONFIDENCE = 0.5;

export interface HeuristicAnswer {
  status: CriterionStatus;
  /** From 0 to 1. If decided: 0.9 of the least certain reading that was used. */
  confidence: number;
  rationale: string;
  citations: Citation[];
  /** `no_relevant_nodes`, `insufficient_policy_context`, `missing_evidence`, `low_confidence`; null: decided. */
  reasonCode: string | null;
}

/**
 * Checks a criterion without a model. In the sections found by `textQuery`, it finds the one requirement that
 * plainly answers the criterion, links the facts of the case to it, and applies a rule. Anything that is not
 * plain is UNCERTAIN, because a wrong status is worse than none (S4-40).
 */
export function heuristicAnswer(at: {
  criterion: { id: string; text: string };
  facts: readonly CitableFact[];
  evidence: Evidence;
  /** Language of the policy (BCP 47). */
  language: string;
}): HeuristicAnswer {
  const found = foundSections(at.evidence);
  const { sections, lookedUp } = found;
  if (sections.length === 0) {
    return lookedUp
      ? undecidedReasonCode(
          'no_relevant_nodes',
          'No section of the policy has the words of this criterion.',
          [],
          0,
        )
      : undecidedReasonCode('insufficient_policy_context', 'The policy could not be looked up.', [], 0);
  }
  const { text, periods } = questionPeriods(at.criterion.text);
  const facts = namedFacts(at.facts);
  const asked = contentWords(text);
  const governing = governingRequirement(found, {
    asked,
    known: knownWords(facts),
    facts,
    question: at.criterion.text,
    language: plainLanguage(at.language),
    isPlainQuestion: asksForCompliance(text),
  });
  if ('problem' in governing) {
    const quotes = governing.sentences.map(policySentenceQuote);
    return undecidedReasonCode(governing.reasonCode, governing.problem, quotes);
  }
  const { sentence, kind, key } = governing.requirement;
  if (kind !== 'bound' && periods.some((period) => kind !== 'period' || periodKey(period) !== key)) {
    const why = 'The criterion names another period than the requirement.';
    return undecidedReasonCode('insufficient_policy_context', why, [policySentenceQuote(sentence)]);
  }
  const { headings = [] } = governing.requirement;
  return sentenceAnswer([sentence, ...headings, ...governing.changedBy], governing.finding);
}

function sentenceAnswer(
  [sentence, ...changedBy]: readonly [PolicySentence, ...PolicySentence[]],
  finding: RuleFinding,
): HeuristicAnswer {
  const quotes = [sentence, ...changedBy].map(policySentenceQuote);
  const citations = [...quotes, ...finding.facts.map(factCitation)];
  const rationale = `${sentence.section.node.title}: ${finding.why}`;
  if (finding.kind === 'open') return undecidedReasonCode(finding.reasonCode, rationale, citations);
  const least = Math.min(1, ...finding.facts.map(({ confidence }) => confidence));
  return {
    status: finding.met ? 'MET' : 'NOT_MET',
    rationale,
    citations,
    reasonCode: null,
    confidence: Number((RULE_CONFIDENCE * least).toFixed(4)),
  };
}

function undecidedReasonCode(
  reasonCode: string,
  rationale: string,
  citations: Citation[] = [],
  confidence = UNDECIDED_CONFIDENCE,
): HeuristicAnswer {
  return { status: 'UNCERTAIN', confidence, rationale, citations, reasonCode };
}

function policySentenceQuote({ section: { node }, text }: PolicySentence): Citation {
  return { kind: 'quote', nodeId: node.nodeId, quote: text };
}

function factCitation({ id, value, unit }: CitableFact): Citation {
  return { kind: 'fact', fact: id, value, ...(unit === undefined ? {} : { unit }) };
}
