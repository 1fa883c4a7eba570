import {
  verdictSchema,
  type CriterionResult,
  type Evidence,
  type Fact,
  type JsonObject,
} from '@casefile/contracts';
import { aRunSettings } from '@casefile/contracts/testing';
import { fakePorts, type FakePortsOptions } from '@casefile/pipeline/testing/fake-ports';
import { aCriterionDraft, aCriterionResult, aPolicyBrief } from './policy-builders.js';
import { evidenceOf } from '@casefile/pipeline/testing/scam-builders';
import { combineCriteria } from '../decide.js';
import { policyCheck } from '../playbook.js';
import { writeReport } from '../write.js';

const AT = '2026-01-05T10:00:09.000Z';

/** An answer of a model to one criterion. */
export interface AnswerCase {
  question?: string;
  sections: Record<string, string>;
  facts?: Record<string, string | [value: string, unit: string]>;
  /** Words of a section by the number of the section. */
  quotes: [section: string, quote: string][];
  why?: string;
  status?: 'MET' | 'NOT_MET';
  language?: string;
  evidence?: Evidence;
  confidential?: boolean;
}

/** An answer of a model with its verified citations, as the reasoning stage leaves it. */
function answered(at: AnswerCase) {
  const {
    question = 'Is the requirement kept?',
    sections,
    facts = {},
    quotes,
    why = 'It is.',
    status = 'MET',
  } = at;
  const given = Object.entries(facts).map(([name, fact]): Fact => {
    const [value, unit] = typeof fact === 'string' ? [fact] : fact;
    return { name, value, confidence: 0.98, ...(unit === undefined ? {} : { unit }) };
  });
  const result = aCriterionResult({
    id: 'c1',
    text: question,
    status,
    rationale: why,
    citations: [
      ...quotes.map(([section, quote]) => ({
        kind: 'quote' as const,
        nodeId: section,
        quote,
        title: section,
        pages: null,
      })),
      ...given.map(({ name, value }) => ({
        kind: 'fact' as const,
        fact: name,
        value,
        factIds: [`${name}#1`],
      })),
    ],
    ...(at.confidential === true ? { withheld: { nodeIds: [quotes[0]![0]], rationale: '[withheld]' } } : {}),
  });
  const read = Object.entries(sections).map(([title, text]) => ({ nodeId: title, title, text }));
  const draft = aCriterionDraft(result, { answer: { ...result, sections: read } as unknown as JsonObject });
  const policy = { policyId: 'p', version: 1, title: 'A policy', language: at.language ?? 'en' };
  const brief = aPolicyBrief([{ id: 'c1', text: question }], { facts: given, policy });
  return { brief, evidence: at.evidence ?? evidenceOf(), draft, previous: {}, result };
}

type Script = FakePortsOptions['script'];

/** Reviews an answer, and decides and reports on it. */
export async function reviewAnswer(
  at: AnswerCase,
  script: Script = [],
  settings: Partial<ReturnType<typeof aRunSettings>> = {},
) {
  const input = answered(at);
  // Examiners of these tests answer for one claim, so nothing is planted next to it.
  const options = { plantedClaims: 0, ...settings.options };
  const frozen = aRunSettings({ onOutage: 'fallback', ...settings, options });
  const ports = fakePorts({ script, settings: frozen });
  const outcome = await policyCheck.critique(input, ports);
  if (!('artifact' in outcome)) throw new Error(`it ended in ${outcome.kind}`);
  const review = outcome.artifact;
  const unit = { ...input, unit: 'c1', review, report: { title: '', markdown: '', citations: [] } };
  const verdict = verdictSchema.parse(combineCriteria.decide([unit], frozen, AT));
  const [criterion] = verdict.outcome['criteria'] as unknown as CriterionResult[];
  const { markdown } = writeReport([unit], frozen);
  return { review, verdict, criterion: criterion!, markdown, calls: ports.model.calls };
}

/** Options of a run without the second question. */
export const OFF = { options: { crossExamine: false } };
/** A return after 18 of 30 days. */
const RETURN_SECTIONS = { '3.1 Period': 'Goods may be returned within 30 days of delivery.' };
export const RETURNED: AnswerCase = {
  question: 'Was the item returned in time?',
  sections: RETURN_SECTIONS,
  facts: { delivered_on: '2026-01-04', returned_on: '2026-01-22' },
  quotes: [['3.1 Period', 'Goods may be returned within 30 days of delivery.']],
  why: '18 of 30 days had passed.',
};
