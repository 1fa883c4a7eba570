import fc from 'fast-check';
import { verdictSchema, type Brief, type Draft, type Evidence, type RunSettings } from '@casefile/contracts';
import { aRunSettings } from '@casefile/contracts/testing';
import { safeDefault } from '../playbooks/message-screening/safe-default.js';
import { aBrief, aDraft, anInput, aReview, evidenceOf, failed } from '../testing/scam-builders.js';
import { engageProbeIgnore } from './engage-probe-ignore.js';

interface Answer {
  isScam?: boolean;
  confidence?: number;
  flags?: number | string[];
}
interface Parts {
  brief?: Partial<Brief>;
  evidence?: Evidence;
  draft?: Partial<Draft>;
  settings?: Partial<RunSettings>;
}
const at = '2026-01-05T10:00:09.000Z';
const flagsOf = (flags: number | string[]) =>
  typeof flags === 'number' ? Array.from({ length: flags }, (_, i) => `sign number ${i + 1}`) : flags;

function unit(mode: string | undefined, answer: Answer, parts: Parts = {}) {
  const { isScam = true, confidence = 0.9, flags = 0 } = answer;
  const said = { isScam, confidence, primaryCategory: 'kyc_banking', redFlags: flagsOf(flags) };
  return {
    unit: '',
    brief: aBrief({
      ...(mode === undefined ? {} : { mode }),
      language: { code: 'en', certainty: 0.9 },
      ...parts.brief,
    }),
    evidence: parts.evidence ?? { items: [] },
    draft: aDraft({
      answer: said,
      explanation: 'It asks for a code.',
      evidenceUsed: [],
      confidence,
      ...parts.draft,
    }),
    review: aReview(),
    report: { title: '', markdown: '', citations: [] },
  };
}
const decide = (mode: string | undefined, answer: Answer, parts: Parts = {}) =>
  engageProbeIgnore.decide([unit(mode, answer, parts)], aRunSettings(parts.settings), at, 'run-1');
const decided = (mode: string, answer: Answer, parts?: Parts) => {
  const { action, reason } = decide(mode, answer, parts).outcome;
  return [action, reason];
};
const JUST_BELOW = (value: number) => value - Number.EPSILON;

describe('S3-43 the table of engage-probe-ignore, row by row', () => {
  it.each<[row: string, mode: string, answer: Answer, action: string, reason: string]>([
    ['row 1: normal, 1', 'normal', { confidence: 1 }, 'engage', 'high confidence'],
    ['row 1: normal, above 0.7', 'normal', { confidence: 0.71 }, 'engage', 'high confidence'],
    ['row 1: normal, 0.7 exactly', 'normal', { confidence: 0.7 }, 'engage', 'high confidence'],
    [
      'row 1: normal, 0.7, no red flag needed',
      'normal',
      { confidence: 0.7, flags: 0 },
      'engage',
      'high confidence',
    ],
    [
      'row 2: normal, just below 0.7',
      'normal',
      { confidence: JUST_BELOW(0.7) },
      'probe',
      'medium confidence',
    ],
    ['row 2: normal, between', 'normal', { confidence: 0.6, flags: 9 }, 'probe', 'medium confidence'],
    ['row 2: normal, 0.5 exactly', 'normal', { confidence: 0.5 }, 'probe', 'medium confidence'],
    ['row 3: normal, just below 0.5', 'normal', { confidence: JUST_BELOW(0.5) }, 'ignore', 'low confidence'],
    ['row 3: normal, 0', 'normal', { confidence: 0, flags: 9 }, 'ignore', 'low confidence'],
    [
      'row 4: normal, no scam, certain',
      'normal',
      { isScam: false, confidence: 1, flags: 9 },
      'ignore',
      'not a scam',
    ],
    [
      'row 4: strict, no scam, certain',
      'strict',
      { isScam: false, confidence: 1, flags: 9 },
      'ignore',
      'not a scam',
    ],
    ['row 4: strict, no scam, 0', 'strict', { isScam: false, confidence: 0 }, 'ignore', 'not a scam'],
    [
      'row 5: strict, 1, 3 flags',
      'strict',
      { confidence: 1, flags: 3 },
      'engage',
      'high confidence and indicators',
    ],
    [
      'row 5: strict, 0.85 exactly, 3 flags',
      'strict',
      { confidence: 0.85, flags: 3 },
      'engage',
      'high confidence and indicators',
    ],
    [
      'row 5: strict, 0.85, 4 flags',
      'strict',
      { confidence: 0.85, flags: 4 },
      'engage',
      'high confidence and indicators',
    ],
    [
      'row 6: strict, 0.85, 2 flags: literally ignore',
      'strict',
      { confidence: 0.85, flags: 2 },
      'ignore',
      'insufficient indicators',
    ],
    ['row 6: strict, 1, 2 flags', 'strict', { confidence: 1, flags: 2 }, 'ignore', 'insufficient indicators'],
    [
      'row 6: strict, 0.85, no flag',
      'strict',
      { confidence: 0.85, flags: 0 },
      'ignore',
      'insufficient indicators',
    ],
    [
      'row 7: strict, just below 0.85, 2 flags',
      'strict',
      { confidence: JUST_BELOW(0.85), flags: 2 },
      'probe',
      'medium confidence and indicators',
    ],
    [
      'row 7: strict, just below 0.85, 3 flags',
      'strict',
      { confidence: JUST_BELOW(0.85), flags: 3 },
      'probe',
      'medium confidence and indicators',
    ],
    [
      'row 7: strict, 0.70 exactly, 2 flags',
      'strict',
      { confidence: 0.7, flags: 2 },
      'probe',
      'medium confidence and indicators',
    ],
    [
      'row 8: strict, 0.70 exactly, 1 flag',
      'strict',
      { confidence: 0.7, flags: 1 },
      'ignore',
      'insufficient indicators',
    ],
    [
      'row 8: strict, just below 0.85, 1 flag',
      'strict',
      { confidence: JUST_BELOW(0.85), flags: 1 },
      'ignore',
      'insufficient indicators',
    ],
    [
      'row 9: strict, just below 0.70, 3 flags',
      'strict',
      { confidence: JUST_BELOW(0.7), flags: 3 },
      'ignore',
      'low confidence',
    ],
    ['row 9: strict, 0, 9 flags', 'strict', { confidence: 0, flags: 9 }, 'ignore', 'low confidence'],
  ])('S3-43 %s', (_row, mode, answer, action, reason) => {
    expect(decided(mode, answer)).toEqual([action, reason]);
  });

  it('S3-30 S3-43 flags are counted without repeats and empty ones', () => {
    const same = ['Urgent deadline', ' urgent  DEADLINE. ', '', '  ', '-', 'asks for OTP'];
    expect(decided('strict', { confidence: 0.85, flags: same })).toEqual([
      'ignore',
      'insufficient indicators',
    ]);
    expect(decided('strict', { confidence: 0.8, flags: same })[0]).toBe('probe');
    expect(decide('strict', { confidence: 0.8, flags: same }).outcome['redFlags']).toEqual([
      'Urgent deadline',
      'asks for OTP',
    ]);
  });

  it('S3-43 thresholds and counts are settings; wrong ones are named', () => {
    const options = { normalEngageFrom: 0.9, normalProbeFrom: 0.8, strictEngageFlags: 1 };
    expect(decided('normal', { confidence: 0.85 }, { settings: { options } })[0]).toBe('probe');
    expect(decided('strict', { confidence: 0.85, flags: 1 }, { settings: { options } })[0]).toBe('engage');
    expect(() => decided('normal', {}, { settings: { options: { strictProbeFrom: 70 } } })).toThrow(
      /strictProbeFrom/,
    );
  });

  it('S3-20 a mode that is not known is strict', () => {
    expect(decide(undefined, { confidence: 0.9, flags: 1 }).outcome).toMatchObject({
      action: 'ignore',
      mode: 'strict',
    });
  });
});

const anyAnswer = fc.record({
  isScam: fc.boolean(),
  confidence: fc.oneof(
    fc.double({ min: 0, max: 1, noNaN: true }),
    fc.constantFrom(0, 0.5, 0.7, 0.85, 1, JUST_BELOW(0.5), JUST_BELOW(0.7), JUST_BELOW(0.85)),
  ),
  flags: fc.integer({ min: 0, max: 6 }),
});
const anyMode = fc.constantFrom('normal', 'strict');

describe('S3-43 over the whole range', () => {
  it('S3-43 is the table, said in another way', () => {
    const table = (
      mode: string,
      { isScam, confidence: c, flags }: { isScam: boolean; confidence: number; flags: number },
    ) => {
      if (!isScam) return 'ignore';
      if (mode === 'normal') return c < 0.5 ? 'ignore' : c < 0.7 ? 'probe' : 'engage';
      const needs = c < 0.7 ? Infinity : c < 0.85 ? 2 : 3;
      return flags < needs ? 'ignore' : c < 0.85 ? 'probe' : 'engage';
    };
    fc.assert(
      fc.property(anyMode, anyAnswer, (mode, answer) => {
        expect(decided(mode, answer)[0]).toBe(table(mode, answer));
      }),
      { numRuns: 2_000 },
    );
  });

  it('S3-43 never acts on what is no scam; in normal mode more confidence never does less', () => {
    const rank = { ignore: 0, probe: 1, engage: 2 };
    const rankOf = (answer: Answer) => rank[decided('normal', answer)[0] as keyof typeof rank];
    fc.assert(
      fc.property(anyMode, anyAnswer, fc.double({ min: 0, max: 1, noNaN: true }), (mode, answer, other) => {
        expect(decided(mode, { ...answer, isScam: false })[0]).toBe('ignore');
        const [low, high] = [answer.confidence, other].toSorted((a, b) => a - b);
        expect(rankOf({ confidence: high! })).toBeGreaterThanOrEqual(rankOf({ confidence: low! }));
      }),
    );
  });

  it('S3-40 S3-42 every verdict is valid, and has either a reply or a session', () => {
    fc.assert(
      fc.property(anyMode, anyAnswer, (mode, answer) => {
        const verdict = decide(mode, answer);
        expect(verdictSchema.safeParse(verdict).success).toBe(true);
        const opened = verdict.outcome['engagement'] !== undefined;
        expect(opened).toBe(verdict.outcome['action'] !== 'ignore');
        expect('reply' in verdict.outcome).toBe(!opened);
      }),
    );
  });
});

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
        ...{ id: 'run-1', stage: 'opened', category: 'kyc_banking', confidence: 0.92 },
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

  it.each(['timeout', 'retrieval_failed', 'invalid_answer', 'no_provider'])(
    'S3-41 %s: the safe default, degraded, for a person to see, never confident',
    (fallbackReason) => {
      const draft = { ...safeDefault(anInput()), fallbackReason };
      const verdict = decide(
        'normal',
        {},
        { draft, evidence: evidenceOf(failed('find_similar_scams', 'network')) },
      );
      expect(verdict).toMatchObject({
        ...{ disposition: 'review', confidence: 0, degraded: true, method: 'heuristic' },
        outcome: { action: 'ignore', scamDetected: false, confidence: 0, reply: null, reason: 'not judged' },
      });
      expect(verdict.reasons.join(' ')).toContain(fallbackReason);
      expect(verdict.reasons.join(' ')).toContain('find_similar_scams gave no answer (network)');
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

  it('takes the strongest of several units, and refuses none at all or an answer that is not its own', () => {
    const units = [unit('normal', { confidence: 0.2 }), unit('normal', { confidence: 0.6 })];
    expect(engageProbeIgnore.decide(units, aRunSettings(), at).outcome['action']).toBe('probe');
    const refused = (act: () => unknown, reasonCode: string) =>
      expect(act).toThrow(expect.objectContaining({ reasonCode }));
    refused(() => engageProbeIgnore.decide([], aRunSettings(), at), 'no_units');
    refused(() => decide('normal', {}, { draft: { answer: {} } }), 'bad_draft');
  });
});
