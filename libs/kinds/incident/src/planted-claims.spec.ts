import fc from 'fast-check';
import { DEMONSTRATION, done, type Review } from '@casefile/contracts';
import { isPlanted } from '@casefile/kit/demonstration/planted-claim';
import { crossExamining, isUnanswered } from '@casefile/pipeline/parts/cross-examining';
import { examinationQuestion } from '@casefile/pipeline/parts/examination-question';
import type { Matter } from '@casefile/pipeline/parts/examined-matter';
import { plantClaims } from '@casefile/pipeline/parts/planted-claims';
import { fakePorts, type FakePortsOptions } from '@casefile/pipeline/testing/fake-ports';
import { aBrief, aDraft, evidenceOf } from '@casefile/pipeline/testing/scam-builders';
import { shippedPrompts } from '@casefile/pipeline/testing/shipped-prompts';
import { withoutPlanted } from '@casefile/pipeline/stages';
import { crossExamination as prompt } from './model/prompts.js';

const LOGS =
  '09:02 ledger-api answered 502\n09:05 mail-relay queue 80 of 80 workers busy\n09:07 rates-db backup succeeded in 650 ms\n09:09 probe of edge-9 accepted';
const MATTER: Matter = {
  prompt,
  about: 'ErrorRateHigh: ledger-api answers 502 since 2026-03-02',
  claims: [
    { id: 'C1', text: 'A cause of the alert is: The queue of mail-relay is full', sources: ['E1'] },
    { id: 'F1', text: 'The backup of rates-db took 650 ms', sources: ['E1'] },
  ],
  sources: [{ id: 'E1', title: 'logs', text: LOGS }],
  asClaim: (statement) => `A cause of the alert is: ${statement}`,
};
const SEEDS = Array.from({ length: 200 }, (_none, at) => `seed-${at}`);
const PASSED: Review = { ruling: 'PASS', findings: [], reviewer: 'r' };

/** Answers of an examiner by the text of each claim in the question. */
const answering =
  (answer: (text: string) => readonly [answer: string, quote: string]) =>
  (shown: string): string => {
    const claims = [...shown.matchAll(/^([CF]\d+) \[E1\]: (.*)$/gm)].map(([, id = '', text = '']) => {
      const [word, quote] = answer(text);
      return { id, against: 'Nothing.', answer: word, quote };
    });
    return JSON.stringify({ claims });
  };
const QUOTE = 'mail-relay queue 80 of 80 workers busy';
const credulous = answering(() => ['supports', QUOTE]);

async function examined(
  examiner: (shown: string) => string,
  over: { plantedClaims?: number; settings?: FakePortsOptions['settings'] } = {},
) {
  const { plantedClaims } = over;
  const ports = fakePorts({
    script: [],
    ...(over.settings === undefined ? {} : { settings: over.settings }),
  });
  let shown = '';
  let calls = 0;
  const model = {
    ...ports.model,
    available: true,
    draw: () => ({ seed: 'seed-7', deadlineAt: null }),
    call: async (_step: number, request: { messages: { content: string }[] }) => {
      calls += 1;
      shown = request.messages.map(({ content }) => content).join('\n');
      return { content: examiner(shown), reasoning: null, finishReason: 'stop' };
    },
  };
  const critique = crossExamining(
    {
      limits: () => ({
        crossExamine: true,
        timeoutMs: 5_000,
        ...(plantedClaims === undefined ? {} : { plantedClaims }),
      }),
      matter: () => MATTER,
    },
    async () => done(PASSED),
  );
  const input = { brief: aBrief(), evidence: evidenceOf(), draft: aDraft(), previous: {} };
  const outcome = await critique(input, { ...ports, model } as never);
  return { review: (outcome as { artifact: Review }).artifact, shown, calls };
}

describe('T-39 planted claims', () => {
  it('change one value to one that the record does not have, in every kind of change', () => {
    const planted = SEEDS.flatMap((seed) => plantClaims(MATTER, 2, seed));
    expect(planted).toHaveLength(2 * SEEDS.length);
    const record = [MATTER.about, ...MATTER.claims.map(({ text }) => text), LOGS].join('\n');
    for (const { text } of planted)
      expect([text, isPlanted(text, `${record}\n${text}`)]).toEqual([text, true]);
    expect(new Set(planted.map(({ change }) => change))).toEqual(
      new Set(['subject', 'figure', 'unit', 'time', 'polarity']),
    );
  });

  it('are equal for an equal seed, and differ between seeds', () => {
    const texts = (seed: string) => plantClaims(MATTER, 2, seed).map(({ text }) => text);
    expect(texts('a')).toEqual(texts('a'));
    expect(new Set(SEEDS.map((seed) => texts(seed).join('|'))).size).toBeGreaterThan(20);
  });

  it('are never true: a value that the record states, or that two of its values give, is not planted', () => {
    const number = fc.integer({ min: 1, max: 400 });
    fc.assert(
      fc.property(fc.array(number, { minLength: 1, maxLength: 12 }), fc.integer(), (numbers, seed) => {
        const text = numbers.map((one, at) => `pool-${at} has ${one} open connections`).join('\n');
        const matter = {
          ...MATTER,
          about: '',
          claims: [{ id: 'C1', text: text.split('\n')[0]!, sources: ['E1'] }],
        };
        const planted = plantClaims(
          { ...matter, sources: [{ id: 'E1', title: 't', text }] },
          2,
          String(seed),
        );
        for (const one of planted.filter(({ change }) => change === 'figure')) {
          const [value = 0] = [...one.text.matchAll(/has (\d+)/g)].map(([, figure]) => Number(figure));
          const sums = numbers.flatMap((a) => numbers.flatMap((b) => [a, a + b, a - b]));
          expect(sums).not.toContain(value);
        }
      }),
      { numRuns: 200, seed: 5 },
    );
  });

  it('turn a state round only if no other line names its subject', () => {
    const once = { ...MATTER, claims: [{ id: 'C1', text: 'It is full', sources: ['E1'] }] };
    const lines = (text: string) => ({ ...once, sources: [{ id: 'E1', title: 'logs', text }] });
    const changesIn = (matter: Matter) =>
      new Set(SEEDS.flatMap((seed) => plantClaims(matter, 2, seed)).map(({ change }) => change));
    expect(changesIn(lines('copy of rates-db succeeded'))).toContain('polarity');
    expect(changesIn(lines('copy of rates-db succeeded\nrates-db: the report is taken back'))).not.toContain(
      'polarity',
    );
    expect(changesIn(lines('copy of rates-db succeeded\nanother copy failed'))).not.toContain('polarity');
  });

  it('stand among the claims in a drawn order, with ids that do not tell them apart', () => {
    const orders = SEEDS.map((seed) => {
      const planted = plantClaims(MATTER, 2, seed);
      const question = examinationQuestion(MATTER, shippedPrompts.of(prompt), { planted, seed });
      const rows = [...question.render('0f0f').matchAll(/^(C\d+) \[E1\]: (.*)$/gm)];
      expect(rows.map(([, id]) => id)).toEqual(['C1', 'C2', 'C3', 'C4']);
      const places = rows.map(([, , text]) => planted.some((one) => one.text === text));
      expect([seed, planted, places.filter(Boolean).length]).toEqual([seed, planted, 2]);
      return places.join();
    });
    expect(new Set(orders).size).toBe(6);
  });

  it('an examiner that supports one gave no answer, in one call, and the record marks it', async () => {
    const { review, calls } = await examined(credulous);
    expect(calls).toBe(1);
    expect(review).toMatchObject({
      ruling: 'WARN',
      findings: [{ code: 'not_cross_examined', message: expect.stringContaining('planted as false') }],
      crossExamination: { claims: [], failed: 'planted_supported' },
    });
    expect(isUnanswered(review)).toBe(true);
    expect(review.crossExamination!.planted!.map(({ answer }) => answer)).toEqual(['supports', 'supports']);
  });

  it('an examiner that supports none is believed, with the ids and the order of the draft', async () => {
    const careful = answering((text) =>
      text === MATTER.claims[0]!.text ? ['supports', QUOTE] : ['not_in_it', ''],
    );
    const { review, shown } = await examined(careful);
    const { claims, failed, planted } = review.crossExamination!;
    expect([failed, claims.map(({ id, answer }) => [id, answer])]).toEqual([
      null,
      [
        ['C1', 'supports'],
        ['F1', 'not_in_it'],
      ],
    ]);
    for (const { askedAs, text, answer } of planted!) {
      expect(shown).toContain(`${askedAs} [E1]: ${text}`);
      expect(answer).toBe('not_in_it');
    }
  });

  it('are on the record if the examiner gives no answer', async () => {
    const { review } = await examined(() => 'No answer.');
    expect(review.crossExamination).toMatchObject({
      failed: 'invalid_answer',
      planted: [{ answer: null }, { answer: null }],
    });
  });

  it('are none by a setting, and in a demonstration, whose answers are written by hand', async () => {
    for (const over of [{ plantedClaims: 0 }, { settings: { provider: DEMONSTRATION } }]) {
      const { review, shown } = await examined(credulous, over);
      expect(review.crossExamination).toMatchObject({ failed: null });
      expect(review.crossExamination!.planted).toBeUndefined();
      expect(shown).toContain('F1 [E1]: The backup of rates-db');
    }
  });

  it('are no part of what later stages read', async () => {
    const { review } = await examined(credulous);
    const unit = withoutPlanted({ review });
    expect(unit.review.crossExamination).toMatchObject({ failed: 'planted_supported' });
    for (const { text } of review.crossExamination!.planted!)
      expect(JSON.stringify(unit)).not.toContain(text);
  });
});
