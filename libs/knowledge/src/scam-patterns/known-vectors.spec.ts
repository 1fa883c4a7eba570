import { InvalidInput } from '@casefile/contracts';
import fc from 'fast-check';
import { saveKnownVectors, writeKnownVectors } from './known-vectors.js';
import { listedPatterns } from './pattern-search.js';

const EMBEDDER = { model: 'm', languages: ['en'] };

function patternsOf(texts: string[]) {
  return listedPatterns(
    texts.map((text, i) => ({
      id: `p${i}`,
      title: 'A',
      texts: { en: text, hi: text },
      category: 'c',
      scamType: 's',
      redFlags: [],
      source: 'set',
      version: 1,
    })),
  );
}

describe('vectors that come with a set of patterns', () => {
  it('S3-10 are kept as they were made, to the fourth decimal', async () => {
    const components = fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: 3, maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(fc.array(components, { minLength: 1, maxLength: 5 }), async (vectors) => {
        const texts = vectors.map((_, i) => `text ${i}`);
        const store = patternsOf(texts);
        const file = writeKnownVectors(
          'm',
          texts.map((text, i) => ({ text, vector: vectors[i]! })),
        );
        expect(await saveKnownVectors(store, EMBEDDER, { name: 'f', text: file })).toBe(vectors.length);
        const kept = await store.vectorsSince('m', 0);
        for (const { patternId, language, vector } of kept) {
          expect(language).toBe('en');
          const made = vectors[Number(patternId.slice(1))]!;
          vector.forEach((component, i) => expect(Math.abs(component - made[i]!)).toBeLessThan(0.0001));
        }
      }),
      { numRuns: 50 },
    );
  });

  it('S3-10 are left alone for another model, for a text that has changed, and for one that has its own', async () => {
    const text = writeKnownVectors('m', [{ text: 'known', vector: [1, 0] }]);
    const store = patternsOf(['known', 'changed since']);
    expect(await saveKnownVectors(store, { ...EMBEDDER, model: 'other' }, { name: 'f', text })).toBe(0);
    expect(await saveKnownVectors(store, EMBEDDER, { name: 'f', text })).toBe(1);
    expect(await saveKnownVectors(store, EMBEDDER, { name: 'f', text })).toBe(0);
    expect((await store.textsToEmbed('m', ['en'], 10)).texts.map((one) => one.text)).toEqual([
      'changed since',
    ]);
  });

  it.each(['{', '{"model":"m"}', '{"model":"m","vectors":{"x":"AAAA"}}'])(
    'S3-10 refuses a file that is none: %s',
    async (text) => {
      const store = patternsOf(['known']);
      const saving = saveKnownVectors(store, EMBEDDER, { name: 'vectors.json', text });
      await expect(saving).rejects.toThrow(InvalidInput);
    },
  );
});
