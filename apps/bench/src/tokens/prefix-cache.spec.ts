import fc from 'fast-check';
import type { ModelRequest } from '@casefile/contracts';
import { PrefixCache, prefixText } from './prefix-cache.js';

const asked = (...contents: string[]): ModelRequest => ({
  promptId: 'p@1',
  kind: 'answer',
  messages: contents.map((content) => ({ role: 'user', content })),
  maxOutputTokens: 100,
});
/** About 1,500 tokens. */
const LONG = 'rules '.repeat(1_000);

describe('PrefixCache', () => {
  it('reads nothing at first, and all but the last step of a repeated question', () => {
    const cache = new PrefixCache();
    expect(cache.read(asked(LONG))).toBe(0);
    const tokens = prefixText(asked(LONG)).length / 4;
    expect(cache.read(asked(LONG))).toBe(Math.floor(tokens / 128) * 128);
  });

  it('reads the beginning that two questions share, and none after the first difference', () => {
    const cache = new PrefixCache();
    cache.read(asked(LONG, 'one', LONG));
    const shared = cache.read(asked(LONG, 'two', LONG));
    expect(shared).toBeGreaterThanOrEqual(1_024);
    expect(shared).toBeLessThanOrEqual(prefixText(asked(LONG)).length / 4);
    expect(cache.read(asked('other', LONG))).toBe(0);
  });

  it('reads nothing of a shared beginning below 1,024 tokens', () => {
    const cache = new PrefixCache();
    const short = 'rules '.repeat(600);
    cache.read(asked(short, 'one'));
    expect(cache.read(asked(short, 'two'))).toBe(0);
  });

  it('never reads more than the question has', () => {
    fc.assert(
      fc.property(fc.array(fc.array(fc.constantFrom(LONG, 'a', 'b'), { maxLength: 4 })), (questions) => {
        const cache = new PrefixCache();
        for (const contents of questions)
          expect(cache.read(asked(...contents))).toBeLessThanOrEqual(
            prefixText(asked(...contents)).length / 4,
          );
      }),
      { numRuns: 50 },
    );
  });
});
