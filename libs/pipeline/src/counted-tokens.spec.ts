import fc from 'fast-check';
import { countedTokens } from './counted-tokens.js';

const asked = { messages: [{ role: 'user' as const, content: 'a'.repeat(1_600) }] };
const said = (inputTokens: number, outputTokens: number) => ({
  inputTokens,
  outputTokens,
  reasoningTokens: 0,
  cachedTokens: 0,
});
const answer = (content: string, usage = said(0, 0)) => ({ content, toolCalls: [], reasoning: null, usage });

describe('the tokens of a call', () => {
  it('E-04 are what the provider says, where that can be', () => {
    expect(countedTokens(asked, answer('b'.repeat(1_000), said(400, 250)))).toEqual({
      input: 400,
      output: 250,
    });
  });

  it('E-04 are counted by bytes where the provider says 1 of 100 kB', () => {
    const { input, output } = countedTokens(asked, answer('b'.repeat(100_000), said(1, 1)));
    expect(output).toBe(6_250);
    expect(input).toBeGreaterThanOrEqual(100);
  });

  it('E-04 are counted as usual text where the provider says nothing', () => {
    expect(countedTokens(asked, answer('b'.repeat(100_000))).output).toBe(25_000);
    expect(countedTokens({ messages: [] }, answer(''))).toEqual({ input: 0, output: 0 });
  });

  it('E-04 are never fewer than what is said, and grow with what came in calls and reasoning', () => {
    fc.assert(
      fc.property(
        fc.nat(10_000),
        fc.nat(10_000),
        fc.string({ unit: 'binary' }),
        fc.nat(5_000),
        (i, o, text, n) => {
          const args = { text: text.repeat(n % 50) };
          const { input, output } = countedTokens(asked, {
            ...answer(text, said(i, o)),
            toolCalls: [{ id: '1', name: 'x', args }],
            reasoning: 'r'.repeat(n),
          });
          expect(input).toBeGreaterThanOrEqual(i);
          expect(output).toBeGreaterThanOrEqual(Math.max(o, Math.floor(n / 16)));
        },
      ),
    );
  });
});
