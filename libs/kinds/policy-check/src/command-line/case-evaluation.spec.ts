import fc from 'fast-check';
import { CRITERION_STATUSES, type CaseDocument } from '@casefile/contracts';
import { judgedCaseEvaluation, caseEvaluationLines } from './case-evaluation.js';
import { toJudgedCase, judgedCaseSchema, type JudgedCase, type JudgedCriterion } from './judged-case.js';
import type { LabelledCase } from './labelled-case.js';

const judgedCriterion = (over: Partial<JudgedCriterion> = {}): JudgedCriterion => ({
  id: 'a',
  expected: 'MET',
  status: 'MET',
  confidence: 0.9,
  reasonCode: null,
  iterations: 3,
  quotes: { expected: 2, sections: 1, words: 1 },
  given: { all: 4, verified: 3 },
  facts: { cited: 2, right: 1, expected: 3 },
  costUsd: 0.01,
  unpriced: 0,
  calls: 3,
  tokens: 1_000,
  searchTokens: 400,
  modelMs: 30,
  answerMs: 50,
  ...over,
});
const of = (...criteria: JudgedCriterion[]): JudgedCase => ({
  key: 'k',
  id: 'c',
  expected: 'MET',
  status: 'MET',
  degraded: false,
  totalMs: 60,
  criteria,
});

describe('the measures of checked cases', () => {
  const set = of(
    judgedCriterion(),
    judgedCriterion({ expected: 'NOT_MET', status: 'MET' }),
    judgedCriterion({ expected: 'MET', status: 'NOT_MET' }),
    judgedCriterion({ expected: 'MET', status: 'UNCERTAIN', reasonCode: 'missing_evidence' }),
    judgedCriterion({ expected: 'UNCERTAIN', status: 'NOT_MET' }),
    judgedCriterion({
      expected: 'UNCERTAIN',
      status: 'UNCERTAIN',
      reasonCode: 'missing_evidence',
      iterations: 5,
    }),
    judgedCriterion({ expected: 'NOT_MET', status: null, iterations: 0, calls: 0, answerMs: null }),
  );
  const found = judgedCaseEvaluation([set, { ...of(), expected: 'NOT_MET', status: null, degraded: true }]);

  it('count what is as labelled, of criteria and of cases', () => {
    expect(found.status).toEqual({
      criteria: { labels: 7, right: 2, rate: 2 / 7, tooFewLabels: true },
      cases: { labels: 2, right: 1, rate: 0.5, tooFewLabels: true },
    });
    expect(found).toMatchObject({ cases: 2, criteria: 7, unanswered: 1, unfinished: 1, degraded: 1 });
    expect(found.otherwise).toHaveLength(5);
  });

  it('tell wrong decisions from abstentions', () => {
    expect(found.decisions).toEqual({
      metForNotMet: 1,
      notMetForMet: 1,
      decidedForUncertain: 1,
      abstained: 1,
      right: { of: 4, part: 1, rate: 0.25 },
    });
    expect(found.confusion.NOT_MET).toEqual({ MET: 1, NOT_MET: 0, UNCERTAIN: 0, none: 1 });
  });

  it('S4-21 add citations up', () => {
    expect(found.citations).toEqual({
      sections: { of: 14, part: 7, rate: 0.5 },
      words: { of: 14, part: 7, rate: 0.5 },
      verified: { of: 28, part: 21, rate: 0.75 },
      factsRight: { of: 14, part: 7, rate: 0.5 },
      factsFound: { of: 21, part: 7, rate: 1 / 3 },
    });
  });

  it('give iterations, tokens and reason codes of what has a result', () => {
    expect(found.iterations).toEqual({ mean: 20 / 6, distribution: { 3: 5, 5: 1 } });
    expect(found.tokens).toMatchObject({ mean: 1_000, max: 1_000, total: 6_000, search: 2_400 });
    expect(found.reasonCodes).toEqual({ missing_evidence: 2 });
  });

  it('leave a criterion out of the mean cost when a price of it is not known', () => {
    const mixed = judgedCaseEvaluation([
      of(judgedCriterion(), judgedCriterion({ costUsd: 0.5, unpriced: 1 })),
    ]);
    expect(mixed.cost).toEqual({ usd: 0.51, perCriterion: 0.01, calls: 6, unpriced: 1 });
    const none = judgedCaseEvaluation([of(judgedCriterion({ costUsd: 0, unpriced: 3 }))]);
    expect(none.cost.perCriterion).toBeNull();
    expect(caseEvaluationLines(none).join('\n')).toContain('cost not known');
  });

  it('are shown as tables, also of nothing', () => {
    const lines = caseEvaluationLines(found).join('\n');
    expect(lines).toMatch(/^criteria +7 +2 +0\.286 +too few labels$/m);
    expect(lines).toMatch(/^wrong: MET for NOT_MET +1$/m);
    expect(lines).toMatch(/^NOT_MET +1 +0 +0 +1$/m);
    expect(caseEvaluationLines(judgedCaseEvaluation([])).join('\n')).toContain('0 cases');
  });

  it('count every criterion once, whatever its outcome', () => {
    const any = fc.record({
      expected: fc.constantFrom(...CRITERION_STATUSES),
      status: fc.constantFrom(...CRITERION_STATUSES, null),
    });
    fc.assert(
      fc.property(fc.array(any), (list) => {
        const { confusion, decisions, status } = judgedCaseEvaluation([of(...list.map(judgedCriterion))]);
        const all = Object.values(confusion).flatMap((row) => Object.values(row));
        expect(all.reduce((a, b) => a + b, 0)).toBe(list.length);
        const { metForNotMet, notMetForMet, decidedForUncertain, right } = decisions;
        expect(metForNotMet + notMetForMet + decidedForUncertain + right.part).toBe(right.of);
        expect(status.criteria.right).toBe(list.filter((one) => one.expected === one.status).length);
      }),
    );
  });
});

describe('judgedCaseOf', () => {
  const labelled: LabelledCase = {
    id: 'c',
    payload: {
      facts: [
        { name: 'Loss date', value: '2026-01-02', confidence: 1 },
        { name: 'cause', value: 'hose', confidence: 1 },
      ],
    },
    expected: {
      status: 'MET',
      criteria: [
        {
          id: 'a',
          status: 'MET',
          citations: [{ section: '1 One', quote: 'some words' }],
          facts: ['loss_date', 'x'],
        },
        { id: 'b', status: 'UNCERTAIN', citations: [], facts: [] },
      ],
    },
  };
  const answer = {
    id: 'a',
    text: 't',
    status: 'MET',
    confidence: 0.8,
    rationale: 'r',
    reasonCode: null,
    claimed: null,
    citations: [
      { kind: 'quote', nodeId: '1', quote: 'Some words', title: '1 One', pages: null },
      { kind: 'fact', fact: 'loss_date#1', value: '2026-01-02', factIds: ['loss_date#1'] },
      { kind: 'fact', fact: 'cause', value: 'hose', factIds: ['cause#1'] },
    ],
    refuted: [
      {
        citation: { kind: 'absence', of: 'fact', asked: 'x' },
        state: 'unproven',
        problem: 'never_looked_up',
        instead: [],
      },
    ],
    policy: { policyId: 'p', version: 1 },
    strategy: 'react',
    promptId: null,
    model: null,
    iterations: 2,
    tokens: { input: 1, output: 1 },
    costUsd: null,
    trace: [],
  };
  const call = (unit: string, toolCallId: string | null) => ({
    unit,
    toolCallId,
    costUsd: null,
    latencyMs: 10,
    usage: { inputTokens: 100, outputTokens: 5 },
  });
  const found = {
    runs: [
      {
        verdict: { outcome: { status: 'UNCERTAIN' }, degraded: false },
        artifacts: [
          { artifact: 'brief', unit: '', body: {}, createdAt: '2026-01-01T00:00:00.000Z' },
          { artifact: 'draft', unit: 'a', body: { answer }, createdAt: '2026-01-01T00:00:00.250Z' },
        ],
        interactions: [call('a', null), call('a', 't1'), call('b', null)],
      },
    ],
  } as unknown as CaseDocument;

  it('shows the outcome of a case next to its label', () => {
    const judgedCase = toJudgedCase(labelled, 'k', found, 70);
    expect(judgedCase).toMatchObject({ key: 'k', expected: 'MET', status: 'UNCERTAIN', totalMs: 70 });
    expect(judgedCase.criteria[0]).toEqual({
      id: 'a',
      expected: 'MET',
      status: 'MET',
      confidence: 0.8,
      reasonCode: null,
      iterations: 2,
      quotes: { expected: 1, sections: 1, words: 1 },
      given: { all: 4, verified: 3 },
      facts: { cited: 2, right: 1, expected: 2 },
      costUsd: 0,
      unpriced: 2,
      calls: 2,
      tokens: 210,
      searchTokens: 105,
      modelMs: 20,
      answerMs: 250,
    });
    expect(judgedCase.criteria[1]).toMatchObject({ status: null, iterations: 0, answerMs: null, calls: 1 });
    expect(judgedCaseSchema.parse(JSON.parse(JSON.stringify(judgedCase)))).toEqual(judgedCase);
  });

  it('has a case without a run, or without a verdict, as one without a status', () => {
    const nothing = { runs: [] } as unknown as CaseDocument;
    expect(toJudgedCase(labelled, 'k', nothing, 1)).toMatchObject({ status: null, degraded: true });
  });
});
