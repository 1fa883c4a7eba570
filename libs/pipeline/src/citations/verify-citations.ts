import { factName, type Citation, type CitationProblem, type CitationState } from '@casefile/contracts';
import type { CitationFinding, CitationGround } from './citation.js';
import { holdsQuote, isTooShort, nearestPassage } from './find-quote.js';
import { normalText } from './normal-text.js';
import { sameValue } from './same-value.js';

/** What a check of all citations of one answer came to. */
export interface VerifiedCitations {
  findings: CitationFinding[];
  verified: Citation[];
  /** These do not count, and are listed with what is wrong with them. */
  refuted: CitationFinding[];
  /** Of verified ones, 0..1; 0 where nothing is cited: nothing is borne out. */
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

/** Holds every citation against sections, facts and look-ups; nobody's word counts for it. S4-21. */
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

/** One citation. */
export function verifyCitation(citation: Citation, ground: CitationGround): CitationFinding {
  if (citation.kind === 'quote') return verifyQuote(citation, ground);
  return citation.kind === 'fact' ? verifyFact(citation, ground) : verifyAbsence(citation, ground);
}

type Of<K extends Citation['kind']> = Extract<Citation, { kind: K }>;

const verified = (citation: Citation, facts: string[] = []): CitationFinding => ({
  ...{ citation, state: 'verified', problem: null, instead: [], facts },
});
const refuted = (citation: Citation, problem: CitationProblem, instead: string[] = []): CitationFinding => ({
  ...{ citation, state: STATES[problem], problem, instead, facts: [] },
});

function verifyQuote(citation: Of<'quote'>, { sections }: CitationGround): CitationFinding {
  const { nodeId, quote, page } = citation;
  const section = sections.get(nodeId);
  if (section === undefined) return refuted(citation, 'unknown_node');
  if (isTooShort(quote)) return refuted(citation, 'quote_too_short');
  if (!holdsQuote(section.text, quote) && !holdsQuote(section.title, quote)) {
    const near = nearestPassage(section.text, quote);
    const others = [...sections].flatMap(([id, { text }]) => (holdsQuote(text, quote) ? [id] : []));
    if (others.length > 0) return refuted(citation, 'quote_elsewhere', others);
    return near === null ? refuted(citation, 'quote_not_found') : refuted(citation, 'quote_altered', [near]);
  }
  const { pages } = section;
  if (page !== undefined && (pages === null || page < pages.from || page > pages.to))
    return refuted(citation, 'wrong_page', pages === null ? [] : [`${pages.from}-${pages.to}`]);
  return verified(citation);
}

function verifyFact(citation: Of<'fact'>, { facts }: CitationGround): CitationFinding {
  const byId = facts.filter(({ id }) => id === citation.fact);
  const name = factName(citation.fact);
  const readings = byId.length > 0 ? byId : facts.filter((fact) => factName(fact.name) === name);
  if (readings.length === 0) return refuted(citation, 'unknown_fact');
  const same = readings.filter((fact) => sameValue(fact, citation.value, citation.unit));
  if (same.length > 0)
    return verified(
      citation,
      same.map(({ id }) => id),
    );
  const values = readings.map(({ value, unit }) => (unit === undefined ? `${value}` : `${value} ${unit}`));
  return refuted(citation, 'other_value', values);
}

function verifyAbsence(citation: Of<'absence'>, { facts, lookUps }: CitationGround): CitationFinding {
  const form = citation.of === 'fact' ? factName : normalText;
  const asked = form(citation.asked);
  const there = facts.filter(({ id, name }) => id === citation.asked || factName(name) === asked);
  if (citation.of === 'fact' && there.length > 0)
    return refuted(
      citation,
      'is_there',
      there.map(({ value }) => String(value)),
    );
  const made = lookUps.filter((lookUp) => lookUp.of === citation.of && form(lookUp.asked) === asked);
  if (made.length === 0) return refuted(citation, 'never_looked_up');
  const done = made.filter(({ succeeded }) => succeeded);
  if (done.length === 0) return refuted(citation, 'look_up_failed');
  return done.some(({ found }) => found > 0) ? refuted(citation, 'is_there') : verified(citation);
}
