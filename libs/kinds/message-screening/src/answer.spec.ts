import fc from 'fast-check';
import { draftSchema, type Json } from '@casefile/contracts';
import { evidenceOf } from '@casefile/pipeline/testing/scam-builders';
import { aMatch, aScreeningAnswer, aScreeningInput, similarScams } from './testing/screening-builders.js';
import { readAnswer } from './answer.js';

const input = aScreeningInput(
  evidenceOf(similarScams(aMatch(), aMatch({ patternId: 'second', title: 'Other' }))),
);
const read = (over: Record<string, Json>) => readAnswer(JSON.stringify(aScreeningAnswer(over)), input);
function draftOf(result: ReturnType<typeof readAnswer>) {
  if ('problem' in result) throw new Error(result.problem);
  return result.value;
}

describe('S3-30 the answer of the model', () => {
  it('S3-30 is read with its confidence, category, reasoning, patterns, flags and honest signs', () => {
    const draft = draftOf(read({ matchedPatterns: [2, 1, 2], legitimacyIndicators: ['names the branch'] }));
    expect(draft).toMatchObject({
      answer: {
        isScam: true,
        confidence: 0.9,
        primaryCategory: 'kyc_banking',
        matchedPatterns: ['second', 'kyc-expired'],
        legitimacyIndicators: ['names the branch'],
      },
      confidence: 0.9,
      confidenceSource: 'llm',
      method: 'llm',
      evidenceUsed: ['E1'],
      remarks: [],
    });
    expect(draftSchema.safeParse({ ...draft, strategy: 'grounded' }).success).toBe(true);
  });

  it('S3-30 red flags lose repeats and empty ones', () => {
    const { answer } = draftOf(read({ redFlags: ['Asks for OTP', 'asks for  otp.', '', ' ', '—', 'Haste'] }));
    expect(answer['redFlags']).toEqual(['Asks for OTP', 'Haste']);
  });

  it.each<[string, Record<string, Json>]>([
    ['isScam', { isScam: 'yes' }],
    ['confidence', { confidence: 850 }],
    ['confidence', { confidence: 5 }],
    ['confidence', { confidence: -0.1 }],
    ['confidence', { confidence: 'high' }],
    ['reasoning', { reasoning: '  ' }],
    ['redFlags', { redFlags: 'It asks for a fee, and for haste' }],
    ['redFlags', { redFlags: null }],
    ['matchedPatterns', { matchedPatterns: {} }],
  ])('S3-30 names the field %s when it is wrong: %j', (field, over) => {
    expect(read(over)).toEqual({ problem: expect.stringContaining(`${field}`) });
  });

  it.each<[Record<string, Json>, Record<string, Json>]>([
    [{ confidence: 85 }, { confidence: 0.85 }],
    [{ confidence: '0.9' }, { confidence: 0.9 }],
    [{ confidence: '90%' }, { confidence: 0.9 }],
    [{ confidence: '9/10' }, { confidence: 0.9 }],
    [{ isScam: 'true' }, { isScam: true }],
    [{ redFlags: 'asks for a fee; short time' }, { redFlags: ['asks for a fee', 'short time'] }],
    [{ redFlags: '1. asks for a fee\n2. short time' }, { redFlags: ['asks for a fee', 'short time'] }],
    [{ legitimacyIndicators: 'None' }, { legitimacyIndicators: [] }],
    [{ matchedPatterns: '1' }, { matchedPatterns: ['kyc-expired'] }],
  ])('S3-30 reads what came as a text or on the other scale: %j', (over, answer) => {
    expect(draftOf(read(over)).answer).toMatchObject(answer);
  });

  it('S3-30 takes patterns by title or id too, and notes one that was not shown', () => {
    const draft = draftOf(read({ matchedPatterns: ['Other', 'kyc-expired', 9] }));
    expect(draft.answer['matchedPatterns']).toEqual(['second', 'kyc-expired']);
    expect(draft.remarks).toEqual(['unknown_pattern']);
  });

  it('S3-30 writes categories in one way, and none for what is no scam', () => {
    const category = (over: Record<string, Json>) => draftOf(read(over)).answer['primaryCategory'];
    expect(category({ primaryCategory: 'KYC / Banking' })).toBe('kyc_banking');
    expect(category({ primaryCategory: null })).toBe('other');
    expect(category({ isScam: false })).toBeNull();
  });

  it.each(['', 'no json', '[]', '5', '{'])('S3-41 says that %j is no answer', (content) => {
    expect(readAnswer(content, input)).toHaveProperty('problem');
  });

  it('S3-30 no answer of any shape crashes the reader', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const result = readAnswer(JSON.stringify({ ...aScreeningAnswer(), ...(value as object) }), input);
        expect('problem' in result || draftSchema.safeParse({ ...result.value, strategy: 'x' }).success).toBe(
          true,
        );
      }),
    );
  });
});
