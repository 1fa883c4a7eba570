import fc from 'fast-check';
import { estimateInputTokens } from './estimate-input-tokens.js';
import { aModelRequest } from './testing/index.js';

const ofText = (content: string) =>
  estimateInputTokens(aModelRequest({ messages: [{ role: 'user', content }] }));
const SCHEMA = { type: 'object', properties: { a: { type: 'string' } } };

describe('estimateInputTokens', () => {
  it.each([
    // Counts of OpenAI's cl100k, an older vocabulary, for the text alone.
    ['English', 'the quick brown fox jumps over the lazy dog '.repeat(100), 901],
    ['Hindi', 'आपका खाता बंद कर दिया गया है। '.repeat(50), 1601],
    ['Chinese', '您的账户已被冻结。'.repeat(50), 550],
  ])('is above what the text has in %s, and not by the double', (_what, text, known) => {
    expect(ofText(text)).toBeGreaterThanOrEqual(known);
    expect(ofText(text)).toBeLessThan(known * 2.5);
  });

  it('takes every digit for a token', () => {
    expect(ofText('4915112345678'.repeat(100))).toBeGreaterThanOrEqual(1300);
  });

  it('counts tools, schemas, tool calls and what is sent back of earlier turns', () => {
    const plain = estimateInputTokens(aModelRequest());
    const tool = { name: 'scam_db', description: 'Looks it up.', parameters: SCHEMA };
    const turn = { role: 'assistant' as const, content: '', providerState: { items: ['x'.repeat(1000)] } };
    expect(estimateInputTokens(aModelRequest({ tools: [tool] }))).toBeGreaterThan(plain + 500);
    expect(
      estimateInputTokens(aModelRequest({ answerSchema: { name: 'a', schema: SCHEMA } })),
    ).toBeGreaterThan(plain + 500);
    expect(estimateInputTokens(aModelRequest({ messages: [turn] }))).toBeGreaterThan(ofText('') + 100);
  });

  it('has an answer for any text, and never less for more of it', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(ofText(text.repeat(3))).toBeGreaterThanOrEqual(ofText(text));
      }),
    );
    expect(ofText('<|endoftext|>')).toBeGreaterThan(0);
  });

  it('is through with a megabyte of one letter', () => {
    // The encoder alone would take minutes: the test would run into its limit.
    expect(ofText('a'.repeat(1_000_000))).toBeGreaterThan(125_000);
  });
});
