import {
  citableFacts,
  type Brief,
  type CriterionResult,
  type Draft,
  type Evidence,
  type EvidenceItem,
  type Fact,
  type JsonObject,
} from '@casefile/contracts';
import { aBrief, aDraft, evidenceOf } from '@casefile/pipeline/testing/scam-builders';

export const aCriterionResult = (over: Partial<CriterionResult> = {}): CriterionResult => ({
  id: 'notice',
  text: 'Was the claim notified in time?',
  status: 'MET',
  confidence: 0.9,
  rationale: 'It took 30 of 30 days.',
  citations: [],
  refuted: [],
  reasonCode: null,
  claimed: null,
  policy: { policyId: 'claims', version: 2 },
  strategy: 'react',
  promptId: 'policy-check/controller@1',
  model: 'fake-1',
  iterations: 3,
  tokens: { input: 4_100, output: 620 },
  costUsd: 0.0123,
  trace: [],
  ...over,
});

/** A brief of policy-check with these criteria. */
export const aPolicyBrief = (
  criteria: readonly Pick<CriterionResult, 'id' | 'text'>[],
  { facts = [], ...over }: { facts?: Fact[]; [key: string]: unknown } = {},
): Brief => {
  const input = {
    policy: { policyId: 'claims', version: 2, title: 'Claims handling', language: 'en' },
    title: null,
    facts: citableFacts(facts),
    combine: { rule: 'all' },
    criteria: criteria.map(({ id, text }) => ({ id, text })),
    ...over,
  };
  return aBrief({ input: input as unknown as JsonObject });
};

export const aCriterionDraft = (result: CriterionResult, over: Partial<Draft> = {}): Draft =>
  aDraft({
    answer: result as unknown as JsonObject,
    explanation: result.rationale,
    evidenceUsed: [],
    confidence: result.confidence,
    strategy: 'react',
    ...over,
  });

interface SectionFound {
  title: string;
  text: string;
  cut?: boolean;
  /** The heading above it. */
  below?: string;
  /**
   * Whether the section was not found directly: it names a found section, or is a sibling of a section that
   * does.
   */
  related?: boolean;
}

/** Result of a search for sections: each by its title and text, with ids from `0001` in their order. */
export const sectionsFound = (...sections: SectionFound[]): Evidence => evidenceOf(foundItem(sections));

function foundItem(sections: readonly SectionFound[]): Partial<EvidenceItem> {
  const all = sections.map(({ title, text, cut = false, below, related = false }, i) => ({
    related,
    nodeId: String(i + 1).padStart(4, '0'),
    title,
    path: ['The policy', ...(below === undefined ? [] : [below])],
    pages: null,
    lines: null,
    text,
    cut,
  }));
  const nodes = all.filter(({ related }) => !related);
  return {
    toolName: 'sections_search',
    entityType: '',
    entityValue: 'query',
    source: 'policy claims version 2',
    result: {
      policyId: 'claims',
      version: 2,
      found: nodes.length,
      nodes,
      by: 'keywords',
      steps: [],
      related: all.filter(({ related }) => related),
    },
  };
}
