import { CRITERION_STATUSES, verdictSchema, type CriterionResult, type Draft } from '@casefile/contracts';
import { aRunSettings } from '@casefile/contracts/testing';
import fc from 'fast-check';
import { combinedStatus, type CombinationRule } from './citations/verify-citations.js';
import { aCriterionDraft, aCriterionResult, aPolicyBrief } from './testing/policy-builders.js';
import { aReview, evidenceOf, reports } from '@casefile/pipeline/testing/scam-builders';
import { combineCriteria } from './decide.js';

/** An examination that found support with the subject of the criterion. */
const CONFIRMED = {
  claims: [
    {
      id: 'C1',
      text: 'The criterion is not met.',
      sources: ['4.1 Notice of claims'],
      answer: 'supports' as const,
      quote: { source: '4.1 Notice of claims', words: 'A later notice of a claim is refused.' },
    },
  ],
  failed: null,
  promptId: 'policy-check/cross-examination@1',
};
const at = '2026-01-05T10:00:09.000Z';
const report = { title: '', markdown: '', citations: [] };

interface Parts {
  combine?: CombinationRule;
  draft?: (i: number) => Partial<Draft>;
  /** The order in which the units come. */
  turned?: boolean;
}
function decide(given: Partial<CriterionResult>[], { combine = { rule: 'all' }, draft, turned }: Parts = {}) {
  const results = given.map((over, i) => aCriterionResult({ id: `c${i}`, ...over }));
  const brief = aPolicyBrief(results, { combine });
  const units = results.map((result, i) => ({
    unit: result.id,
    brief,
    evidence: evidenceOf(reports(1)),
    review: aReview({ crossExamination: CONFIRMED }),
    report,
    draft: aCriterionDraft(result, draft?.(i)),
  }));
  return combineCriteria.decide(turned === true ? units.toReversed() : units, aRunSettings(), at);
}

const criteria = fc.array(
  fc.record({
    status: fc.constantFrom(...CRITERION_STATUSES),
    confidence: fc.integer({ min: 0, max: 100 }).map((percent) => percent / 100),
  }),
  { minLength: 1, maxLength: 6 },
);
const checks = criteria.chain((given) =>
  fc.record({
    given: fc.constant(given),
    turned: fc.boolean(),
    combine: fc.oneof(
      fc.constant<CombinationRule>({ rule: 'all' }),
      fc.constant<CombinationRule>({ rule: 'any' }),
      fc.integer({ min: 1, max: given.length }).map((n): CombinationRule => ({ rule: 'n-of-m', n })),
    ),
  }),
);

describe('the policy combine-criteria', () => {
  it('S4-23 follows the rule over the statuses, and acts by it', () => {
    const disposition = { MET: 'dismiss', NOT_MET: 'act', UNCERTAIN: 'review' };
    fc.assert(
      fc.property(checks, ({ given, combine, turned }) => {
        const verdict = decide(given, { combine, turned });
        const statuses = given.map(({ status }) => status);
        const status = combinedStatus(statuses, combine);
        expect(verdictSchema.safeParse(verdict).success).toBe(true);
        expect(verdict).toMatchObject({ disposition: disposition[status], outcome: { status, combine } });
        // In the order in which they were asked, whatever the order of the units.
        expect(verdict.outcome['criteria']).toMatchObject(given.map((_, i) => ({ id: `c${i}` })));
        expect(verdict.reasons).toHaveLength(given.length + 1);
      }),
    );
  });

  it('S4-23 is never surer than the least sure criterion that carries the status', () => {
    fc.assert(
      fc.property(checks, ({ given, combine }) => {
        const verdict = decide(given, { combine });
        const status = combinedStatus(
          given.map((one) => one.status),
          combine,
        );
        const carrying = given.filter((one) => one.status === status).map(({ confidence }) => confidence);
        expect(carrying).toContain(verdict.confidence);
        expect(carrying.every((confidence) => confidence >= verdict.confidence)).toBe(true);
      }),
    );
  });

  it('S4-20 holds every criterion whole, and the version of the policy', () => {
    const result = aCriterionResult({ reasonCode: null });
    const { outcome } = decide([{ id: 'notice' }]);
    expect(outcome).toEqual({
      status: 'MET',
      combine: { rule: 'all' },
      criteria: [result],
      summary: '1 of 1 criterion settled: notice met',
      policy: { policyId: 'claims', version: 2, title: 'Claims handling', language: 'en' },
    });
  });

  it('S4-23 says in a line what was settled, which the combined status hides', () => {
    const open = { status: 'UNCERTAIN', confidence: 0 } as const;
    const summary = (...given: Parameters<typeof decide>[0]) => decide(given).outcome['summary'];
    expect(summary({ id: 'notice', status: 'NOT_MET' }, open, open)).toBe(
      '1 of 3 criteria settled: notice not met',
    );
    expect(summary(open, open)).toBe('0 of 2 criteria settled');
    const many = Array.from({ length: 9 }, (_none, i) => ({ id: `a-long-name-of-a-criterion-${i}` }));
    // Lists have room for 100 characters.
    expect(summary(...many)).toBe('9 of 9 criteria settled: a-long-name-of-a-criterion-0 met and 8 more');
  });

  it('S4-32 says of each criterion why, in words, and how they combine', () => {
    const uncertain = { status: 'UNCERTAIN', confidence: 0.5, reasonCode: 'missing_evidence' } as const;
    expect(decide([{}, uncertain], { combine: { rule: 'n-of-m', n: 2 } }).reasons).toEqual([
      'Criterion c0 is met with confidence 0.9.',
      'Criterion c1 is uncertain with confidence 0.5: a fact that it turns on is missing or in doubt.',
      'At least 2 of 2 criteria must be met: 1 met, 0 not met, 1 uncertain, so the case is uncertain.',
    ]);
  });

  it('S4-31 is degraded by an error or a fallback of any criterion, not by honest doubt', () => {
    const degraded = (reasonCode: string): boolean => decide([{}, { reasonCode }]).degraded;
    const errors = [
      'llm_error',
      'rate_limit_exceeded',
      'refused',
      'invalid_schema',
      'max_iterations_reached',
    ];
    for (const code of [...errors, 'budget_exceeded', 'tool_timeout', 'llm_fallback'])
      expect([code, degraded(code)]).toEqual([code, true]);
    for (const code of [
      'low_confidence',
      'missing_evidence',
      'insufficient_policy_context',
      'no_relevant_nodes',
    ])
      expect([code, degraded(code)]).toEqual([code, false]);
    const draft = (i: number) => (i === 1 ? { fallbackReason: 'llm_error' } : {});
    expect(decide([{}, {}], { draft }).degraded).toBe(true);
  });

  it('S1-17 tells the real cause of a failure, and dismisses nothing that went wrong', () => {
    const out = { status: 'UNCERTAIN', confidence: 0, reasonCode: 'llm_error' } as const;
    const draft = (i: number) => (i === 1 ? { fallbackReason: 'circuit_open' } : {});
    const verdict = decide([{}, out], { draft, combine: { rule: 'any' } });
    expect(verdict).toMatchObject({
      outcome: { status: 'MET' },
      disposition: 'review',
      degraded: true,
      degradedBy: ['model_out'],
      degradedNote: 'model out',
    });
    expect(verdict.reasons).toContain(
      'Criterion c1 is uncertain with confidence 0: the call of the model failed (its provider is out and was not asked).',
    );
    const none = (): Partial<Draft> => ({ method: 'heuristic', fallbackReason: 'no_provider' });
    expect(decide([{}, {}], { draft: none })).toMatchObject({ disposition: 'dismiss', degraded: false });
  });

  it('S4-40 is by the heuristic when any criterion is', () => {
    const byRules = { method: 'heuristic', confidenceSource: 'heuristic' } as const;
    expect(decide([{}, {}])).toMatchObject({ method: 'llm', confidenceSource: 'llm' });
    expect(decide([{}, {}], { draft: (i) => (i === 1 ? byRules : {}) })).toMatchObject(byRules);
  });

  it('cites the evidence of a case that is one unit: ids of several mean different things', () => {
    const draft = () => ({ evidenceUsed: ['E1', 'E9'] });
    expect(decide([{}], { draft }).citations).toEqual(['E1']);
    expect(decide([{}, {}], { draft }).citations).toEqual([]);
  });

  it('refuses no units, an answer of another shape, and one to another criterion', () => {
    const refused = (code: string) => expect.objectContaining({ reasonCode: code });
    expect(() => combineCriteria.decide([], aRunSettings(), at)).toThrow(refused('no_units'));
    expect(() => decide([{}, {}], { draft: (i) => (i === 1 ? { answer: {} } : {}) })).toThrow(
      refused('bad_draft'),
    );
    const answer = { ...aCriterionResult({ id: 'other' }) } as unknown as Draft['answer'];
    expect(() => decide([{}], { draft: () => ({ answer }) })).toThrow(refused('bad_draft'));
  });
});
