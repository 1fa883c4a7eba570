import { failureInWords, whyNoAnswer } from './failure-words.js';

describe('why something failed, in words', () => {
  it.each(['no_provider', 'circuit_open', 'not_configured', 'budget_exhausted', 'invalid_answer', 'network'])(
    'S1-25 says %s without the code',
    (code) => {
      const words = failureInWords(code);
      expect(words).not.toContain('_');
      expect(words).not.toBe(code);
    },
  );

  it('S1-25 tells a model that failed from one that was never asked', () => {
    expect(whyNoAnswer('no_provider')).toBe('no language model is configured');
    expect(whyNoAnswer('server_error')).toBe(
      'the language model gave no usable answer, for its provider failed',
    );
  });

  it('S1-25 spells out a code that it does not know, also one that every object has', () => {
    expect(failureInWords('odd_thing_happened')).toBe('odd thing happened');
    expect(failureInWords('constructor')).toBe('constructor');
  });
});
