import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { aRunSettings, temporaryFolder } from '@casefile/contracts/testing';
import type { EvalCase } from '@casefile/kit/evaluation/eval-system';
import { toJudgedRun, type JudgedRun } from '@casefile/kit/evaluation/judged-run';
import { answerFigures, confusion, type ScoredAnswer } from '@casefile/kit/evaluation/scored-answers';
import { evalResultSchema, summariseResults } from './result.js';
import { resultsIndex, keepResult, resultsIn } from './results-folder.js';

const mark = (expected: string, answer: string | null, confidence: number | null = null): ScoredAnswer => ({
  expected,
  answer,
  language: 'en',
  confidence,
});
const run = (over: Partial<JudgedRun> = {}): JudgedRun => ({
  disposition: 'act',
  method: 'llm',
  confidence: 0.8,
  confidenceSource: 'llm',
  degraded: false,
  models: ['model-a'],
  prompts: ['answer@1'],
  costUsd: 0.02,
  unpriced: 0,
  calls: 2,
  tokens: 100,
  modelMs: 40,
  totalMs: 50,
  ...over,
});

describe('T-30 answers against labels', () => {
  const marks = [
    ...Array.from({ length: 8 }, () => mark('scam', 'scam')),
    mark('scam', 'harmless'),
    mark('scam', null),
    ...Array.from({ length: 5 }, () => mark('harmless', 'harmless')),
    mark('harmless', 'scam'),
  ];

  it('have accuracy, precision and recall; an open question is not right', () => {
    const { right, rightOfAnswered, abstained, classes } = answerFigures(marks);
    expect([right.part, right.of, rightOfAnswered.of, abstained.part]).toEqual([13, 16, 15, 1]);
    expect(classes['scam']).toMatchObject({
      labels: 10,
      answers: 9,
      precision: { part: 8, of: 9 },
      recall: { part: 8, of: 10 },
    });
    expect(classes['scam']?.f1).toBeCloseTo(16 / 19);
    expect(confusion(marks)).toEqual({
      scam: { scam: 8, harmless: 1, none: 1 },
      harmless: { harmless: 5, scam: 1 },
    });
  });

  it('count each label once, whatever the answers', () => {
    const name = fc.constantFrom('a', 'b', 'c');
    fc.assert(
      fc.property(fc.array(fc.record({ expected: name, answer: fc.option(name) })), (pairs) => {
        const found = answerFigures(pairs.map(({ expected, answer }) => mark(expected, answer)));
        const classes = Object.values(found.classes);
        const total = (of: (one: (typeof classes)[number]) => number) =>
          classes.reduce((sum, one) => sum + of(one), 0);
        expect(total(({ labels }) => labels)).toBe(pairs.length);
        expect(total(({ recall }) => recall.part)).toBe(found.right.part);
        expect(total(({ answers }) => answers)).toBe(pairs.length - found.abstained.part);
      }),
    );
  });
});

describe('T-30 the result of an evaluation', () => {
  const lines = [
    { key: '1', run: run(), marks: [mark('scam', 'scam', 0.8)] },
    {
      key: '2',
      run: run({
        method: 'heuristic',
        confidenceSource: 'heuristic',
        disposition: 'review',
        calls: 0,
        totalMs: 10,
      }),
      marks: [{ ...mark('harmless', 'scam', 0.6), language: 'hi' }],
    },
    { key: '3', run: run({ disposition: null, degraded: true, unpriced: 1 }), marks: [mark('scam', null)] },
  ];
  const dataset = {
    scoredAnswers: (line: object) => (line as { marks: ScoredAnswer[] }).marks,
    rates: () => ({ 'a share': { part: 1, of: 2, share: 0.5, from: 0.1, to: 0.9 } }),
  };
  const about = {
    date: '2026-05-01',
    commit: 'a'.repeat(40),
    modified: false,
    command: 'casefile eval --playbook one --set seen',
    kind: 'one',
    settings: { ...aRunSettings(), strategy: 'two' },
  };
  const result = (unseen = false) =>
    summariseResults(lines, dataset, { ...about, set: { name: 'seen', text: 'x', unseen } });

  it('has figures of all runs, and calibration by what stated the confidence', () => {
    const found = result();
    expect(evalResultSchema.parse(JSON.parse(JSON.stringify(found)))).toEqual(found);
    expect(found).toMatchObject({
      items: { all: 3, withoutVerdict: 1, degraded: 1 },
      dispositions: { act: 1, review: 1, dismiss: 0 },
      answers: { right: { part: 1, of: 3 } },
      byLanguage: { en: { labels: 2 }, hi: { labels: 1 } },
      judgedBy: { models: ['model-a'], prompts: ['answer@1'], methods: { heuristic: 1, llm: 2 } },
      calibration: { llm: { labels: 1 }, heuristic: { labels: 1 } },
      cost: { usd: 0.06, perItem: 0.02, unpriced: 1, calls: 4 },
      time: { totalP50: 50 },
    });
  });

  it('names no language of an unseen set that has so few labels that one could be told apart', () => {
    expect(result(true).byLanguage).toEqual({});
  });

  it('is a file of a folder whose index lists it, the same for the same files', async () => {
    const folder = join(temporaryFolder('results'), 'deeper');
    const path = await keepResult(folder, result());
    expect(path).toMatch(/2026-05-01_one_seen_two_model-a\.json$/);
    const index = readFileSync(join(folder, 'index.md'), 'utf8');
    expect(index).toContain('casefile eval --playbook one --set seen');
    expect(index).toContain('| all | 3 | 0.33 (1 of 3; 0.06 to 0.79) |');
    expect(index).toBe(resultsIndex(await resultsIn(folder)));
    mkdirSync(join(folder, 'more'));
    writeFileSync(join(folder, 'wrong.json'), '{"format":2}');
    await expect(resultsIn(folder)).rejects.toThrow('not valid');
  });

  it('is kept with an index that fits the files of the repository', async () => {
    const folder = fileURLToPath(new URL('../../../../docs/results/', import.meta.url));
    expect(readFileSync(join(folder, 'index.md'), 'utf8')).toBe(resultsIndex(await resultsIn(folder)));
  });
});

describe('a judged run', () => {
  it('keeps what a verdict cost, and by which prompts and models', () => {
    const call = (over: object) => ({
      state: 'completed',
      model: 'm',
      promptId: 'p@1',
      costUsd: 0.1,
      latencyMs: 5,
      usage: { inputTokens: 3, outputTokens: 4 },
      ...over,
    });
    const found = {
      runs: [
        { verdict: null, interactions: [call({}), call({ state: 'failed', model: 'n', promptId: 'q@2' })] },
      ],
    } as unknown as EvalCase;
    expect(toJudgedRun(found, 9)).toMatchObject({
      disposition: null,
      degraded: true,
      models: ['m'],
      prompts: ['p@1', 'q@2'],
      calls: 2,
      tokens: 14,
      totalMs: 9,
    });
  });
});
