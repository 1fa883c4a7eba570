import {
  factName,
  type Citation,
  type CitationProblem,
  type CitationState,
  type CitableFact,
  type PolicySection,
  InvalidInput,
  type CriterionStatus,
} from '@casefile/contracts';
import {
  holdsQuote,
  isTooShort,
  nearestPassage,
  normalText,
  sameValue,
} from '@casefile/pipeline/reading/index';

/** Result of a check of all citations of one answer. */
export interface VerifiedCitations {
  findings: CitationFinding[];
  verified: Citation[];
  /** Citations that failed the check, with the reason. They do not count. */
  refuted: CitationFinding[];
  /** Share of verified citations, 0..1; 0 if nothing is cited. */
  share: number;
}

const STATES: Record<CitationProblem, CitationState> = {
  unknown_node: 'does_not_exist',
  wrong_page: 'says_otherwise',
  quote_too_short: 'unproven',
  quote_altered: 'says_otherwise',
  quote_elsewhere: 'says_otherwise',
  quote_not_found: 'does_not_exist',
  unknown_fact: 'does_not_exist',
  other_value: 'says_otherwise',
  is_there: 'says_otherwise',
  never_looked_up: 'unproven',
  look_up_failed: 'unproven',
};

/**
 * Compares every citation with sections, facts and look-ups. A statement that is not verified does not count.
 */
export function verifyCitations(citations: readonly Citation[], ground: CitationGround): VerifiedCitations {
  const findings = citations.map((citation) => verifyCitation(citation, ground));
  const refuted = findings.filter(({ problem }) => problem !== null);
  const verified = findings.flatMap(({ citation, problem }) => (problem === null ? [citation] : []));
  return {
    findings,
    verified,
    refuted,
    share: citations.length === 0 ? 0 : verified.length / citations.length,
  };
}

/** Verifies one citation. */
export function verifyCitation(citation: Citation, ground: CitationGround): CitationFinding {
  if (citation.kind === 'quote') return verifyQuote(citation, ground);
  return citation.kind === 'fact' ? verifyFact(citation, ground) : verifyAbsence(citation, ground);
}

type Of<K extends Citation['kind']> = Extract<Citation, { kind: K }>;

const verifiedCitation = (citation: Citation, facts: string[] = []): CitationFinding => ({
  citation,
  state: 'verified',
  problem: null,
  instead: [],
  facts,
});
const refutedCitation = (
  citation: Citation,
  problem: CitationProblem,
  instead: string[] = [],
): CitationFinding => ({
  citation,
  state: STATES[problem],
  problem,
  instead,
  facts: [],
});

function verifyQuote(citation: Of<'quote'>, { sections }: CitationGround): CitationFinding {
  const { nodeId, quote, page } = citation;
  const section = sections.get(nodeId);
  if (section === undefined) return refutedCitation(citation, 'unknown_node');
  if (isTooShort(quote)) return refutedCitation(citation, 'quote_too_short');
  if (!holdsQuote(section.text, quote) && !holdsQuote(section.title, quote)) {
    const near = nearestPassage(section.text, quote);
    const others = [...sections].flatMap(([id, { text }]) => (holdsQuote(text, quote) ? [id] : []));
    if (others.length > 0) return refutedCitation(citation, 'quote_elsewhere', others);
    return near === null
      ? refutedCitation(citation, 'quote_not_found')
      : refutedCitation(citation, 'quote_altered', [near]);
  }
  const { pages } = section;
  if (page !== undefined && (pages === null || page < pages.from || page > pages.to))
    return refutedCitation(citation, 'wrong_page', pages === null ? [] : [`${pages.from}-${pages.to}`]);
  return verifiedCitation(citation);
}

function verifyFact(citation: Of<'fact'>, { facts }: CitationGround): CitationFinding {
  const byId = facts.filter(({ id }) => id === citation.fact);
  const name = factName(citation.fact);
  const readings = byId.length > 0 ? byId : facts.filter((fact) => factName(fact.name) === name);
  if (readings.length === 0) return refutedCitation(citation, 'unknown_fact');
  const same = readings.filter((fact) => sameValue(fact, citation.value, citation.unit));
  if (same.length > 0)
    return verifiedCitation(
      citation,
      same.map(({ id }) => id),
    );
  const values = readings.map(({ value, unit }) => (unit === undefined ? `${value}` : `${value} ${unit}`));
  return refutedCitation(citation, 'other_value', values);
}

function verifyAbsence(citation: Of<'absence'>, { facts, lookUps }: CitationGround): CitationFinding {
  const form = citation.of === 'fact' ? factName : normalText;
  const asked = form(citation.asked);
  const there = facts.filter(({ id, name }) => id === citation.asked || factName(name) === asked);
  if (citation.of === 'fact' && there.length > 0)
    return refutedCitation(
      citation,
      'is_there',
      there.map(({ value }) => String(value)),
    );
  const made = lookUps.filter((lookUp) => lookUp.of === citation.of && form(lookUp.asked) === asked);
  if (made.length === 0) return refutedCitation(citation, 'never_looked_up');
  const done = made.filter(({ succeeded }) => succeeded);
  if (done.length === 0) return refutedCitation(citation, 'look_up_failed');
  return done.some(({ found }) => found > 0)
    ? refutedCitation(citation, 'is_there')
    : verifiedCitation(citation);
}

/** A look-up that was made for the answer. */
export interface LookUp {
  of: 'fact' | 'policy';
  asked: string;
  /** Whether the look-up succeeded. A failed one proves nothing. */
  succeeded: boolean;
  /** Number of results. */
  found: number;
}

/** Stored texts that citations are compared with. */
export interface CitationGround {
  /**
   * All cited sections by node id. A section that is missing here does not exist in this version of the
   * policy.
   */
  sections: ReadonlyMap<string, Pick<PolicySection, 'title' | 'text' | 'pages' | 'confidential'>>;
  facts: readonly CitableFact[];
  lookUps: readonly LookUp[];
}

export interface CitationFinding {
  citation: Citation;
  state: CitationState;
  /** Reason why the citation failed; null: it is verified. */
  problem: CitationProblem | null;
  /**
   * Text to show in place of the citation: the nearest passage, the values of the fact, or sections with the
   * quote.
   */
  instead: string[];
  /** Ids of the facts that support the citation. */
  facts: string[];
}

/** Confidence below which no answer is given. */
export const ABSTAIN_BELOW = 0.65;

interface CriterionAnswer {
  status: CriterionStatus;
  /** 0..1. */
  confidence: number;
}

interface ConfidenceRules {
  /** Share of verified citations, 0..1. */
  share: number;
  /** Whether the confidence is limited to that share. Set by the playbook. */
  capByShare: boolean;
  /** From 0 to 1. Default: `ABSTAIN_BELOW`. */
  abstainBelow?: number;
}

/**
 * Returns an answer after the check of its citations. Its confidence is capped, and the answer is withheld if
 * too little remains (S4-21, S4-22).
 */
export function settledAnswer(
  { status, confidence }: CriterionAnswer,
  { share, capByShare, abstainBelow = ABSTAIN_BELOW }: ConfidenceRules,
): CriterionAnswer & { reasonCode: 'low_confidence' | null } {
  const given = Number.isFinite(confidence) ? Math.min(1, Math.max(0, confidence)) : 0;
  const left = capByShare ? Math.min(given, share) : given;
  if (status === 'UNCERTAIN' || left >= abstainBelow) return { status, confidence: left, reasonCode: null };
  return { status: 'UNCERTAIN', confidence: left, reasonCode: 'low_confidence' };
}

export type CombinationRule = { rule: 'all' } | { rule: 'any' } | { rule: 'n-of-m'; n: number };

/**
 * Returns the status of a case: MET if enough criteria are met, NOT_MET if too few can still be met, else
 * UNCERTAIN (S4-23).
 * @throws InvalidInput: `combine.n` must be a whole number from 1 to the number of criteria, and there must
 * be at least one criterion.
 */
export function combinedStatus(
  statuses: readonly CriterionStatus[],
  combine: CombinationRule,
): CriterionStatus {
  const total = statuses.length;
  if (total === 0)
    throw new InvalidInput([{ path: 'criteria', message: 'expected at least one' }], 'case bundle');
  const needed = combine.rule === 'all' ? total : combine.rule === 'any' ? 1 : combine.n;
  if (!Number.isInteger(needed) || needed < 1 || needed > total)
    throw new InvalidInput(
      [{ path: 'combine.n', message: `expected a whole number from 1 to ${total}` }],
      'case bundle',
    );
  const met = statuses.filter((status) => status === 'MET').length;
  const open = statuses.filter((status) => status === 'UNCERTAIN').length;
  if (met >= needed) return 'MET';
  return met + open < needed ? 'NOT_MET' : 'UNCERTAIN';
}
