import fc from 'fast-check';
import { aRunSettings } from '@casefile/contracts/testing';
import { judgeByRules, safeDefault } from './judge-by-rules.js';
import { evidenceOf, failedItem, textSignals } from '@casefile/pipeline/testing/scam-builders';
import { aScreeningInput } from './testing/screening-builders.js';
import { at, decide, unit } from './testing/screening-decisions.js';
import { engageProbeIgnore } from './decide.js';

const anyAnswer = fc.record({
  isScam: fc.boolean(),
  confidence: fc.double({ min: 0, max: 1, noNaN: true }),
  flags: fc.integer({ min: 0, max: 6 }),
});
/** Dispositions, the least care first. */
const CARE = ['dismiss', 'review', 'act'];
const anyMode = fc.constantFrom('normal', 'strict');

describe('the verdict of engage-probe-ignore', () => {
  it('S3-40 S3-42 engage: action, category, reasoning, flags, and the session it opens', () => {
    const verdict = decide('normal', { confidence: 0.92, flags: 2 });
    expect(verdict).toMatchObject({ disposition: 'act', confidence: 0.92, method: 'llm', degraded: false });
    expect(verdict.outcome).toEqual({
      action: 'engage',
      scamDetected: true,
      confidence: 0.92,
      category: 'kyc_banking',
      reasoning: 'It asks for a code.',
      redFlags: ['sign number 1', 'sign number 2'],
      reason: 'high confidence',
      mode: 'normal',
      language: 'en',
      engagement: {
        id: 'run-1',
        stage: 'opened',
        category: 'kyc_banking',
        confidence: 0.92,
        redFlags: ['sign number 1', 'sign number 2'],
      },
    });
  });

  it('S3-42 ignore answers with no reply', () => {
    expect(decide('normal', { isScam: false }).outcome).toMatchObject({
      reply: null,
      action: 'ignore',
      category: null,
    });
  });

  it.each([
    ['timeout', 'gave no usable answer, for it did not answer in time'],
    ['retrieval_failed', 'a look-up that the answer rests on failed'],
    ['invalid_answer', 'gave no usable answer, for its answer could not be used'],
    ['no_provider', 'no language model is configured'],
  ])(
    'S3-41 %s: the safe default, degraded, for a person to see, never confident',
    (fallbackReason, words) => {
      const draft = { ...safeDefault(), fallbackReason };
      const verdict = decide(
        'normal',
        {},
        { draft, evidence: evidenceOf(failedItem('find_similar_scams', 'network')) },
      );
      expect(verdict).toMatchObject({
        disposition: 'review',
        confidence: 0,
        degraded: true,
        method: 'heuristic',
        outcome: { action: 'ignore', scamDetected: false, confidence: 0, reply: null, reason: 'not judged' },
      });
      expect(verdict.reasons.join(' ')).toContain(words);
      expect(verdict.reasons.join(' ')).toContain(
        'find_similar_scams gave no answer: there was no connection to it.',
      );
    },
  );

  it('S3-41 a confident answer of a fallback is not acted on either', () => {
    fc.assert(
      fc.property(anyMode, anyAnswer, (mode, answer) => {
        const verdict = decide(mode, answer, { draft: { fallbackReason: 'timeout' } });
        expect(verdict).toMatchObject({
          confidence: 0,
          degraded: true,
          outcome: { action: 'ignore', scamDetected: false },
        });
      }),
    );
  });

  it('S3-43 more signs or more confidence never lead to less care', () => {
    const care = (mode: string, answer: { isScam: boolean; confidence: number; flags: number }): number =>
      CARE.indexOf(decide(mode, answer).disposition);
    fc.assert(
      fc.property(anyMode, anyAnswer, anyAnswer, (mode, one, other) => {
        const more = {
          isScam: one.isScam || other.isScam,
          confidence: Math.max(one.confidence, other.confidence),
          flags: Math.max(one.flags, other.flags),
        };
        expect(care(mode, more)).toBeGreaterThanOrEqual(care(mode, one));
      }),
    );
  });

  it('S3-44 by rules, more signs never lead to less care, in a text that is read or not', () => {
    const kinds = Array.from({ length: 12 }, (_, i) => `kind_${i}`);
    fc.assert(
      fc.property(anyMode, fc.boolean(), fc.integer({ min: 0, max: 11 }), (mode, isRead, count) => {
        const [less, more] = [count, count + 1].map((signs) => {
          const found = textSignals(...kinds.slice(0, signs));
          const evidence = evidenceOf({ ...found, result: { ...(found.result as object), isRead } });
          const draft = judgeByRules(aScreeningInput(evidence));
          return CARE.indexOf(decide(mode, {}, { evidence, draft }).disposition);
        });
        expect(more).toBeGreaterThanOrEqual(less!);
        if (!isRead) expect(less).toBeGreaterThanOrEqual(CARE.indexOf('review'));
      }),
    );
  });

  it('takes the strongest of several units, and refuses none at all or an answer that is not its own', () => {
    const units = [unit('normal', { confidence: 0.2 }), unit('normal', { confidence: 0.6 })];
    expect(engageProbeIgnore.decide(units, aRunSettings(), at).outcome['action']).toBe('probe');
    const refused = (act: () => unknown, reasonCode: string) =>
      expect(act).toThrow(expect.objectContaining({ reasonCode }));
    refused(() => engageProbeIgnore.decide([], aRunSettings(), at), 'no_units');
    refused(() => decide('normal', {}, { draft: { answer: {} } }), 'bad_draft');
  });
});
