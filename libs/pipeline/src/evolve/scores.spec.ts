import type { EvaluatedRun } from '@casefile/contracts';
import fc from 'fast-check';
import { OBJECTIVES, OBJECTIVE_WEIGHTS, type ObjectiveWeights } from './evolution-state.js';
import { scoreRun } from './scores.js';
import { reflectedCase } from './reflecting.js';

/** A run that is right with a confidence of 0.8, cites four items of which three exist, and has four claims. */
const RUN: EvaluatedRun = {
  runId: 'run',
  caseId: 'case',
  status: 'decided',
  reasonCode: null,
  cited: 4,
  supported: 3,
  claims: [
    { text: 'a', answer: 'supports' },
    { text: 'b', answer: 'supports' },
    { text: 'c', answer: 'contradicts' },
    { text: 'd', answer: 'not_in_it' },
  ],
  confidence: 0.8,
  fallback: null,
  outcome: { level: 'high', other: 1 },
  expected: { level: 'high' },
  right: true,
  answer: { level: 'high' },
  text: 'a note',
  input: null,
  note: null,
};
const only = (objective: keyof ObjectiveWeights): ObjectiveWeights => ({
  citations: 0,
  coherence: 0,
  calibration: 0,
  status: 0,
  [objective]: 0.7,
});

describe('S4-61 the score of a run', () => {
  it('weighs verified citations 40 %, supported claims 30 %, 1 - Brier 20 % and agreement with the label 10 %', () => {
    expect(OBJECTIVE_WEIGHTS).toEqual({ citations: 0.4, coherence: 0.3, calibration: 0.2, status: 0.1 });
    const { score, parts } = scoreRun(RUN, OBJECTIVE_WEIGHTS);
    expect(parts).toEqual({
      citations: 0.75,
      coherence: 0.5,
      calibration: expect.closeTo(0.96) as number,
      status: 1,
    });
    expect(score).toBeCloseTo(0.4 * 0.75 + 0.3 * 0.5 + 0.2 * 0.96 + 0.1 * 1, 12);
  });

  it.each([
    ['citations', 0.75],
    ['coherence', 0.5],
    ['calibration', 0.96],
    ['status', 1],
  ] as const)('is %s alone with its weight alone', (objective, value) => {
    expect(scoreRun(RUN, only(objective)).score).toBeCloseTo(value, 12);
  });

  it.each([
    [0.8, true, 0.96],
    [0.8, false, 0.36],
    [1, true, 1],
    [1, false, 0],
    [0, false, 1],
  ])(
    'has the calibration 1 - (confidence - result)² for a confidence of %d and right: %s',
    (confidence, right, value) => {
      expect(scoreRun({ ...RUN, confidence, right }, OBJECTIVE_WEIGHTS).parts.calibration).toBeCloseTo(
        value,
        12,
      );
    },
  );

  it('leaves out an objective that the run does not have, and the others count more', () => {
    const bare = { ...RUN, cited: 0, supported: 0, claims: [] };
    const { score, parts } = scoreRun(bare, OBJECTIVE_WEIGHTS);
    expect(parts).toMatchObject({ citations: null, coherence: null });
    expect(score).toBeCloseTo((0.2 * 0.96 + 0.1 * 1) / 0.3, 12);
    expect(scoreRun(bare, only('citations')).score).toBeNull();
    const unlabelled = scoreRun({ ...RUN, right: null, expected: null }, OBJECTIVE_WEIGHTS);
    expect(unlabelled.parts).toMatchObject({ calibration: null, status: null });
    expect(unlabelled.score).toBeCloseTo((0.4 * 0.75 + 0.3 * 0.5) / 0.7, 12);
  });

  it.each([
    'invalid_answer',
    'empty_answer',
    'cut_answer',
    'invalid_schema',
    'refused',
    'max_iterations_reached',
  ])('scores an answer with %s 0, even if rules were right', (fallback) => {
    const { parts } = scoreRun({ ...RUN, fallback }, OBJECTIVE_WEIGHTS);
    expect(parts).toMatchObject({ citations: 0, status: 0, calibration: expect.closeTo(0.36) as number });
  });

  it.each(['timeout', 'budget_exhausted', 'server_error'])('does not blame the text for %s', (fallback) => {
    expect(scoreRun({ ...RUN, fallback }, OBJECTIVE_WEIGHTS)).toEqual(scoreRun(RUN, OBJECTIVE_WEIGHTS));
  });

  it.each(['parked', 'quarantined', 'stopped'] as const)('is missing if the run is %s', (status) => {
    expect(scoreRun({ ...RUN, status, outcome: null }, OBJECTIVE_WEIGHTS)).toEqual({
      score: null,
      parts: { citations: null, coherence: null, calibration: null, status: null },
    });
  });

  it('is from 0 to 1 for any weights, does not depend on their sum, and grows with each objective', () => {
    const weight = fc.integer({ min: 0, max: 10 }).map((n) => n / 10);
    const weights = fc.record({ citations: weight, coherence: weight, calibration: weight, status: weight });
    const runs = fc.record({
      supported: fc.integer({ min: 0, max: 4 }),
      confidence: fc.double({ min: 0, max: 1, noNaN: true }),
      right: fc.boolean(),
    });
    fc.assert(
      fc.property(weights, runs, (given, over) => {
        const run = { ...RUN, ...over };
        const { score } = scoreRun(run, given);
        if (OBJECTIVES.every((one) => given[one] === 0)) return expect(score).toBeNull();
        expect(score).toBeGreaterThanOrEqual(0);
        expect(score).toBeLessThanOrEqual(1 + 1e-12);
        const halved = Object.fromEntries(OBJECTIVES.map((one) => [one, given[one] / 2])) as typeof given;
        expect(scoreRun(run, halved).score).toBeCloseTo(score!, 12);
        const better = scoreRun({ ...run, supported: 4 }, given).score!;
        expect(better).toBeGreaterThanOrEqual(score! - 1e-12);
      }),
    );
  });
});

describe('a case as a reflection shows it', () => {
  it('names what was wrong, with the fields of the label alone', () => {
    const wrong = { ...RUN, right: false, outcome: { level: 'low', other: 1 }, note: 'compare the dates' };
    expect(reflectedCase(wrong, scoreRun(wrong, OBJECTIVE_WEIGHTS)).problems).toEqual([
      'the outcome was {"level":"low"}',
      '1 of 4 citations are not on the record',
      'its sources contradict: c',
      'its sources do not state: d',
      'note of a reviewer: compare the dates',
    ]);
  });
});
