import fc from 'fast-check';
import { verdictSchema } from '@casefile/contracts';
import { decide, decideScreening, JUST_BELOW, type Answer } from './testing/screening-decisions.js';

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
    expect(decideScreening(mode, answer)).toEqual([action, reason]);
  });

  it('S3-30 S3-43 flags are counted without repeats and empty ones', () => {
    const same = ['Urgent deadline', ' urgent  DEADLINE. ', '', '  ', '-', 'asks for OTP'];
    expect(decideScreening('strict', { confidence: 0.85, flags: same })).toEqual([
      'ignore',
      'insufficient indicators',
    ]);
    expect(decideScreening('strict', { confidence: 0.8, flags: same })[0]).toBe('probe');
    expect(decide('strict', { confidence: 0.8, flags: same }).outcome['redFlags']).toEqual([
      'Urgent deadline',
      'asks for OTP',
    ]);
  });

  it('S3-43 thresholds and counts are settings; wrong ones are named', () => {
    const options = { normalEngageFrom: 0.9, normalProbeFrom: 0.8, strictEngageFlags: 1 };
    expect(decideScreening('normal', { confidence: 0.85 }, { settings: { options } })[0]).toBe('probe');
    expect(decideScreening('strict', { confidence: 0.85, flags: 1 }, { settings: { options } })[0]).toBe(
      'engage',
    );
    expect(() => decideScreening('normal', {}, { settings: { options: { strictProbeFrom: 70 } } })).toThrow(
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
        expect(decideScreening(mode, answer)[0]).toBe(table(mode, answer));
      }),
      { numRuns: 500 },
    );
  });

  it('S3-43 never acts on what is no scam; in normal mode more confidence never does less', () => {
    const rank = { ignore: 0, probe: 1, engage: 2 };
    const rankOf = (answer: Answer) => rank[decideScreening('normal', answer)[0] as keyof typeof rank];
    fc.assert(
      fc.property(anyMode, anyAnswer, fc.double({ min: 0, max: 1, noNaN: true }), (mode, answer, other) => {
        expect(decideScreening(mode, { ...answer, isScam: false })[0]).toBe('ignore');
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
