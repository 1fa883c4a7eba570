import fc from 'fast-check';
import { CasefileError, done, later, type Review } from '@casefile/contracts';
import { crossExamination as prompt } from './model/prompts.js';
import { fakePorts, type FakePortsOptions } from '@casefile/pipeline/testing/fake-ports';
import { aBrief, aDraft, evidenceOf } from '@casefile/pipeline/testing/scam-builders';
import { crossExamining, isUnanswered, type Examination } from '@casefile/pipeline/parts/cross-examining';
import { examinationQuestion, MOST_CLAIMS } from '@casefile/pipeline/parts/examination-question';
import type { Matter } from '@casefile/pipeline/parts/examined-matter';
import { shippedPrompts } from '@casefile/pipeline/testing/shipped-prompts';

const MATTER: Matter = {
  prompt,
  about: 'Is the shop closed on Sunday?',
  claims: [
    { id: 'C1', text: 'The shop is closed on Sunday', sources: ['E1'] },
    { id: 'C2', text: 'It sells 40 kinds of tea', sources: ['E2'] },
  ],
  sources: [
    { id: 'E1', title: 'notice', text: 'Opening hours: Monday to Saturday. On Sunday the shop is closed.' },
    { id: 'E2', title: 'advert', text: 'We sell 14 kinds of tea and much more.' },
  ],
};
const PASSED: Review = { ruling: 'PASS', findings: [], reviewer: 'r' };
const SUPPORTED = { id: 'C1', answer: 'supports', quote: 'On Sunday the shop is closed' };
const ANSWER = JSON.stringify({
  claims: [SUPPORTED, { id: 'C2', answer: 'contradicts', quote: 'We sell 14 kinds of tea' }],
});

async function examined(
  script: FakePortsOptions['script'],
  over: {
    matter?: Matter | null;
    review?: Review;
    crossExamine?: boolean;
    settings?: FakePortsOptions['settings'];
    untilMs?: number;
    msPerCall?: number;
  } = {},
) {
  const { matter = MATTER, review = PASSED, crossExamine = true, untilMs } = over;
  const examination: Examination = {
    limits: () => ({
      crossExamine,
      timeoutMs: 5_000,
      plantedClaims: 0,
      ...(untilMs === undefined ? {} : { untilMs }),
    }),
    matter: () => matter,
  };
  const ports = fakePorts({
    script,
    ...(over.settings === undefined ? {} : { settings: over.settings }),
    ...(over.msPerCall === undefined ? {} : { msPerCall: over.msPerCall }),
  });
  const critique = crossExamining(examination, async () => done(review));
  const input = { brief: aBrief(), evidence: evidenceOf(), draft: aDraft(), previous: {} };
  const outcome = await critique(input, ports);
  return { outcome, review: 'artifact' in outcome ? outcome.artifact : null, calls: ports.model.calls };
}

describe('T-02 the cross-examination of claims', () => {
  it('asks once, at the level low, and keeps each answer with its quote and the source of the quote', async () => {
    const { review, calls } = await examined([ANSWER]);
    expect(calls.map(({ step, request: { level, kind } }) => [step, level, kind])).toEqual([
      [10_001, 'low', 'cross-examination'],
    ]);
    expect(review?.crossExamination).toEqual({
      promptId: 'incident/cross-examination@2',
      failed: null,
      claims: [
        {
          ...MATTER.claims[0],
          answer: 'supports',
          quote: { source: 'E1', words: 'On Sunday the shop is closed' },
        },
        {
          ...MATTER.claims[1],
          answer: 'contradicts',
          quote: { source: 'E2', words: 'We sell 14 kinds of tea' },
        },
      ],
    });
    expect(review).toMatchObject({
      ruling: 'WARN',
      findings: [
        { code: 'claim_contradicted', message: expect.stringContaining('“We sell 14 kinds of tea” [E2]') },
      ],
    });
  });

  it('finds a claim that is in none of its sources, and nothing where all are supported', async () => {
    const answers = (second: object) => JSON.stringify({ claims: [SUPPORTED, { id: 'C2', ...second }] });
    const absent = await examined([answers({ answer: 'not in it', quote: '' })]);
    expect(absent.review).toMatchObject({ ruling: 'WARN', findings: [{ code: 'claim_not_in_sources' }] });
    const supported = await examined([answers({ answer: 'supports', quote: '14 kinds of tea' })]);
    expect(supported.review).toMatchObject({ ruling: 'PASS', findings: [] });
  });

  const wrong = (claims: object[]) => JSON.stringify({ claims });
  it.each([
    ['leaves out a claim', wrong([SUPPORTED]), /C2 has no answer/],
    [
      'answers a claim twice',
      wrong([SUPPORTED, { ...SUPPORTED, answer: 'not_in_it' }, { id: 'C2', answer: 'not_in_it', quote: '' }]),
      /C1 has two answers/,
    ],
    [
      'quotes words of no source',
      wrong([{ ...SUPPORTED, quote: 'closed on Monday and Tuesday' }]),
      /does not occur in its sources \(E1\)/,
    ],
    [
      'supports a claim by a source that it does not cite',
      wrong([{ ...SUPPORTED, quote: '14 kinds of tea' }]),
      /does not occur in its sources/,
    ],
    ['quotes nothing', wrong([{ ...SUPPORTED, quote: '' }]), /too few words/],
    [
      'has an answer of another kind',
      wrong([{ ...SUPPORTED, answer: 'perhaps' }]),
      /supports, contradicts, not_in_it/,
    ],
  ])('asks again if the answer %s, and says what was wrong', async (_, first, problem) => {
    const { review, calls } = await examined([first, ANSWER]);
    expect(calls.map(({ step }) => step)).toEqual([10_001, 10_002]);
    expect(calls[1]!.request.messages.at(-1)!.content).toMatch(problem);
    expect(review?.crossExamination?.failed).toBeNull();
    const twice = await examined([first, first]);
    expect(twice.review).toMatchObject({
      ruling: 'WARN',
      findings: [{ code: 'not_cross_examined' }],
      crossExamination: { claims: [], failed: 'invalid_answer' },
    });
    expect(isUnanswered(twice.review!)).toBe(true);
  });

  it.each([
    ['no model', null, 'no_provider'],
    ['a refusal', [new CasefileError('refused', 'no')], 'refused'],
    ['an outage', [new CasefileError('server_error', 'down', { retryable: true })], 'server_error'],
  ])('%s: the finding not_cross_examined, and WARN', async (_, script, failed) => {
    const { review } = await examined(script);
    expect(review).toMatchObject({
      ruling: 'WARN',
      findings: [{ code: 'not_cross_examined' }],
      crossExamination: { failed },
    });
  });

  it('waits for the provider where runs of the kind wait, and for a budget in any case', async () => {
    const outage = new CasefileError('server_error', 'down', { retryable: true, retryAfterMs: 700 });
    const { outcome } = await examined([outage], { settings: { onOutage: 'later' } });
    expect(outcome).toEqual(later(700, 'server_error'));
    await expect(examined([new CasefileError('budget_exhausted', 'empty')])).rejects.toThrow('empty');
  });

  it('makes no call after the end of its run', async () => {
    const { review, calls } = await examined([], { untilMs: 0 });
    expect(calls).toEqual([]);
    expect(review?.crossExamination?.failed).toBe('timeout');
  });

  it.each([
    ['a kind that has it switched off', { crossExamine: false }],
    ['a verdict that needs none', { matter: null }],
    ['a draft without claims', { matter: { ...MATTER, claims: [] } }],
  ])('asks nothing for %s, and leaves the review as it is', async (_, over) => {
    const { review, calls } = await examined([], over);
    expect(calls).toEqual([]);
    expect(review).toBe(PASSED);
  });

  it('keeps a worse ruling, and the findings before its own', async () => {
    const before: Review = {
      ruling: 'REJECT',
      findings: [{ id: 'x', code: 'x', message: 'x' }],
      reviewer: 'r',
      remarks: ['fallback_provider'],
    };
    const { review } = await examined([ANSWER], { review: before });
    expect(review).toMatchObject({ ruling: 'REJECT', remarks: ['fallback_provider'] });
    expect(review?.findings.map(({ code }) => code)).toEqual(['claim_contradicted', 'x']);
  });

  it('says that claims beyond its bound were not examined', async () => {
    const claims = Array.from({ length: MOST_CLAIMS + 1 }, (_none, i) => ({
      ...MATTER.claims[0]!,
      id: `C${i + 1}`,
    }));
    const answer = JSON.stringify({
      claims: claims.slice(0, MOST_CLAIMS).map(({ id }) => ({ ...SUPPORTED, id })),
    });
    const { review } = await examined([answer], { matter: { ...MATTER, claims } });
    expect(review).toMatchObject({ ruling: 'WARN', findings: [{ code: 'not_cross_examined' }] });
  });

  it('takes exactly the answers that have every claim once with a true quote', () => {
    const words = fc.array(fc.stringMatching(/^[a-z]{4,9}$/), { minLength: 6, maxLength: 30 });
    const entry = fc.record({
      text: words,
      answer: fc.constantFrom('supports', 'contradicts', 'not_in_it'),
      fault: fc.constantFrom('none', 'none', 'none', 'missing', 'forged', 'twice', 'other source'),
    });
    fc.assert(
      fc.property(fc.array(entry, { minLength: 1, maxLength: 8 }), (entries) => {
        const sources = entries.map(({ text }, i) => ({
          id: `E${i + 1}`,
          title: 'a source',
          text: `${text.join(' ')} number${i}mark`,
        }));
        const claims = entries.map((_one, i) => ({
          id: `C${i + 1}`,
          text: `claim ${i}`,
          sources: [`E${i + 1}`],
        }));
        const question = examinationQuestion(
          {
            prompt,
            about: '',
            claims,
            sources: [...sources, { id: 'E99', title: 'another', text: 'only here stands this passage' }],
          },
          shippedPrompts.of(prompt),
        );
        const answers = entries.flatMap(({ text, answer, fault }, i) => {
          const quote =
            {
              forged: `${text.slice(0, 3).join(' ')} zzzz`,
              'other source': 'only here stands this passage',
            }[fault as string] ?? `${text.slice(-3).join(' ')} number${i}mark`;
          const own = { id: `C${i + 1}`, answer, quote: answer === 'not_in_it' ? '' : quote };
          const other = { ...own, answer: answer === 'not_in_it' ? 'supports' : 'not_in_it' };
          return fault === 'missing' ? [] : fault === 'twice' ? [own, other] : [own];
        });
        const isWrong = entries.some(
          ({ answer, fault }) =>
            fault === 'missing' ||
            fault === 'twice' ||
            (fault === 'forged' && answer !== 'not_in_it') ||
            (fault === 'other source' && answer === 'supports'),
        );
        const read = question.read(JSON.stringify({ claims: answers }));
        expect('value' in read).toBe(!isWrong);
        if ('value' in read)
          expect(read.value.claims.map(({ id, answer }) => [id, answer])).toEqual(
            entries.map(({ answer }, i) => [`C${i + 1}`, answer]),
          );
      }),
      { numRuns: 300, seed: 11 },
    );
  });
});
