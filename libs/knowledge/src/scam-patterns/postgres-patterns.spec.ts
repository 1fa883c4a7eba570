import { silentLogger, type Embedder } from '@casefile/contracts';
import { testRecord } from '@casefile/store/testing';
import { aPattern } from '../testing/subjects.js';
import { createPatternSearch } from './pattern-search.js';
import { postgresPatterns } from './postgres-patterns.js';

const record = testRecord();
const base = () => postgresPatterns(record().store.database, silentLogger);

describe('scam patterns', () => {
  it('S3-12 are imported with new, replaced and unchanged told apart, in a revision of their own', async () => {
    const store = base();
    const { revision: start } = await store.patternState();
    const hindi = aPattern('b', { texts: { en: 'x', hi: 'केवाईसी' }, redFlags: [] });
    const first = await store.importPatterns([[aPattern('a'), hindi]]);
    expect(first).toEqual({ inserted: 2, replaced: 0, unchanged: 0, revision: start + 1 });
    const again = await store.importPatterns([[aPattern('a', { title: 'New' }), hindi, aPattern('c')]]);
    expect(again).toEqual({ inserted: 1, replaced: 1, unchanged: 1, revision: start + 2 });
    expect(await store.importPatterns([[hindi]])).toMatchObject({ unchanged: 1, revision: start + 2 });
    expect(await store.patternState()).toEqual({ revision: start + 2, patterns: 3 });
    expect(await store.patternsSince(0)).toEqual([aPattern('a', { title: 'New' }), hindi, aPattern('c')]);
    expect((await store.patternsSince(first.revision)).map(({ id }) => id)).toEqual(['a', 'c']);
  });

  it('S3-12 are imported all or none, with every wrong field named', async () => {
    const store = base();
    const wrong = [
      aPattern('a'),
      aPattern('b', { title: ' ', texts: {} }),
      aPattern('c', { version: 0, category: 'no spaces' }),
      aPattern('a'),
    ];
    await expect(store.importPatterns([wrong])).rejects.toMatchObject({
      reasonCode: 'invalid_input',
      problems: expect.arrayContaining(
        ['[1].title', '[1].texts', '[2].version', '[2].category'].map((path) =>
          expect.objectContaining({ path }),
        ),
      ),
    });
    await expect(store.importPatterns([[aPattern('a'), aPattern('b'), aPattern('a')]])).rejects.toMatchObject(
      {
        problems: [{ path: '[2].id', message: expect.stringContaining('[0]') }],
      },
    );
    expect((await store.patternState()).patterns).toBe(0);
  });

  it('S3-12 an embedding is kept with the model that made it; another model starts again', async () => {
    const store = base();
    await store.importPatterns([[aPattern('a', { texts: { en: 'one', hi: 'एक' } }), aPattern('b')]]);
    const missing = await store.textsToEmbed('m1', null, 2);
    expect(missing).toEqual({
      texts: [
        { patternId: 'a', language: 'en', text: 'one' },
        { patternId: 'a', language: 'hi', text: 'एक' },
      ],
      total: 3,
    });
    const vectors = missing.texts.map((text, i) => ({ ...text, vector: [i + 0.5, 0.25] }));
    expect(await store.saveVectors('m1', vectors)).toBe(2);
    expect(await store.textsToEmbed('m1', null, 9)).toMatchObject({
      total: 1,
      texts: [{ patternId: 'b' }],
    });
    expect(await store.textsToEmbed('m2', null, 9)).toMatchObject({ total: 3 });
    expect(await store.textsToEmbed('m2', ['en'], 9)).toMatchObject({ total: 2 });
    expect(await store.vectorsSince('m2', 0)).toEqual([]);
    expect(await store.vectorsSince('m1', 0)).toEqual([
      { patternId: 'a', language: 'en', vector: [0.5, 0.25] },
      { patternId: 'a', language: 'hi', vector: [1.5, 0.25] },
    ]);
  });

  it('S3-12 the vectors of one model can be forgotten, to be made again', async () => {
    const store = base();
    await store.importPatterns([[aPattern('a')]]);
    const { texts } = await store.textsToEmbed('m1', null, 9);
    for (const model of ['m1', 'm2'])
      await store.saveVectors(
        model,
        texts.map((text) => ({ ...text, vector: [1, 2] })),
      );
    expect([await store.dropVectors('m1'), await store.dropVectors('m1')]).toEqual([1, 0]);
    expect((await store.textsToEmbed('m1', null, 9)).total).toBe(1);
    expect((await store.textsToEmbed('m2', null, 9)).total).toBe(0);
  });

  it('S3-12 a text that is changed loses its vector, and one that is late is not taken', async () => {
    const store = base();
    await store.importPatterns([[aPattern('a'), aPattern('b')]]);
    const { texts } = await store.textsToEmbed('m', null, 9);
    const vectors = texts.map((text) => ({ ...text, vector: [1] }));
    await store.importPatterns([[aPattern('a', { texts: { en: 'other' } })]]);
    expect(await store.saveVectors('m', vectors)).toBe(1);
    const { revision } = await store.importPatterns([[aPattern('b', { texts: { en: 'other' } })]]);
    expect(await store.vectorsSince('m', 0)).toEqual([]);
    expect(await store.vectorsSince('m', revision)).toEqual([]);
    expect((await store.textsToEmbed('m', null, 9)).texts.map(({ text }) => text)).toEqual([
      'other',
      'other',
    ]);
  });

  it('S3-12 vectors of several dimensions, or not of numbers, are refused by their place', async () => {
    const store = base();
    await store.importPatterns([[aPattern('a'), aPattern('b')]]);
    const { texts } = await store.textsToEmbed('m', null, 9);
    const save = (vectors: number[][]) =>
      store.saveVectors(
        'm',
        texts.map((text, i) => ({ ...text, vector: vectors[i] ?? [] })),
      );
    for (const vectors of [
      [[1, 2], [1]],
      [[1], []],
      [[1], [Number.NaN]],
    ])
      await expect(save(vectors)).rejects.toMatchObject({
        problems: [expect.objectContaining({ path: 'vectors[1]' })],
      });
    expect(await store.vectorsSince('m', 0)).toEqual([]);
  });

  it('S3-12 takes up what is imported while it runs, replaced texts included', async () => {
    const store = base();
    const { signal } = new AbortController();
    const ask = (text: string) => ({ text, language: 'en', limit: 3 });
    const embedder: Embedder = {
      model: 'fake',
      locality: 'local',
      languages: null,
      weights: { vector: 1, words: 0 },
      embed: async (texts) =>
        texts.map((text) => ['bank', 'love'].map((axis) => (text.includes(axis) ? 1 : 0.001))),
    };
    await store.importPatterns([[aPattern('love', { texts: { en: 'love' } })]]);
    const search = createPatternSearch({ store, embedder });
    await search.search(ask('love'), signal);
    await store.importPatterns([
      [
        aPattern('love', { texts: { en: 'about a bank' } }),
        aPattern('new', { texts: { en: 'a love letter' } }),
      ],
    ]);
    const { matches } = await search.search(ask('my love'), signal);
    expect(matches[0]).toMatchObject({ pattern: { id: 'new' }, language: 'en' });
    expect(matches.find(({ pattern }) => pattern.id === 'love')?.similarity ?? 0).toBeLessThan(0.1);
  });
});
