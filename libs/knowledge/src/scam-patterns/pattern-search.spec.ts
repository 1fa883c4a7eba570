import fc from 'fast-check';
import { CasefileError, type Embedder } from '@casefile/contracts';
import { until } from '@casefile/contracts/testing';
import { embedPatterns } from './embed-patterns.js';
import { createPatternSearch, listedPatterns } from './pattern-search.js';
import { vectorScan } from './vector-scan.js';
import { aPattern } from '../testing/subjects.js';
import { WORD_LEVELS, wordIndex } from './word-index.js';
import { foldSpelling } from './fold-spelling.js';

const signal = new AbortController().signal;
const AXES = ['parcel', 'bank', 'prize', 'love'];
const vectorOf = (text: string) => AXES.map((axis) => (text.includes(axis) ? 1 : 0.001));

function fakeEmbedder(over: Partial<Embedder> = {}): Embedder & { batches: string[][] } {
  const batches: string[][] = [];
  return {
    model: 'fake',
    locality: 'local',
    languages: null,
    weights: { vector: 1, words: 0 },
    batches,
    embed: async (texts) => {
      batches.push(texts);
      return texts.map(vectorOf);
    },
    ...over,
  };
}
const ABOUT_AXES = AXES.map((axis) => aPattern(axis, { texts: { en: `about a ${axis}` } }));
const aStore = () => listedPatterns(ABOUT_AXES);
const ask = (text: string, over: object = {}) => ({ text, language: 'en', limit: 3, ...over });

describe('the search over scam patterns', () => {
  it('S3-10 gives the K nearest, the nearest first, with what they were looked up in', async () => {
    const search = createPatternSearch({ store: aStore(), embedder: fakeEmbedder() });
    const answer = await search.search(ask('a prize of the bank'), signal);
    expect(
      answer.matches
        .map(({ pattern }) => pattern.id)
        .slice(0, 2)
        .toSorted(),
    ).toEqual(['bank', 'prize']);
    expect(answer.matches).toHaveLength(3);
    expect(answer.matches[0]!.similarity).toBeCloseTo(Math.SQRT1_2, 2);
    expect(answer).toMatchObject({ patterns: 4, model: 'fake' });
  });

  it('S3-10 makes missing vectors once, however many ask at once', async () => {
    const embedder = fakeEmbedder();
    const search = createPatternSearch({ store: aStore(), embedder });
    await Promise.all(Array.from({ length: 5 }, () => search.search(ask('bank'), signal)));
    expect(embedder.batches.filter((texts) => texts.length > 1)).toHaveLength(1);
  });

  it('S3-41 an embedder that is down fails the search, and the next one tries again', async () => {
    let down = true;
    const fails = () => Promise.reject(new CasefileError('network', 'down'));
    const embedder = fakeEmbedder({ embed: async (texts) => (down ? fails() : texts.map(vectorOf)) });
    const search = createPatternSearch({ store: aStore(), embedder });
    await expect(search.search(ask('bank'), signal)).rejects.toMatchObject({ reasonCode: 'network' });
    down = false;
    expect((await search.search(ask('bank'), signal)).matches[0]).toMatchObject({ pattern: { id: 'bank' } });
  });

  it('S3-41 vectors of another dimension than those that are held fail the search, and say what to do', async () => {
    const store = aStore();
    await createPatternSearch({ store, embedder: fakeEmbedder() }).search(ask('bank'), signal);
    // A server whose model was exchanged behind its name.
    const embedder = fakeEmbedder({ embed: async (texts) => texts.map(() => [1, 0]) });
    const act = createPatternSearch({ store, embedder }).search(ask('bank'), signal);
    await expect(act).rejects.toMatchObject({
      reasonCode: 'dimension_mismatch',
      message: expect.stringContaining('--embed-again'),
    });
  });

  it('S3-10 keeps the newer text of a pattern if an older read ends later', async () => {
    const textsOf = (en: string) => [aPattern('one', { texts: { en } })];
    let [revision, changed] = [1, textsOf('about a parcel')];
    let endFirst = null as (() => void) | null;
    const list = listedPatterns([]);
    const store = {
      ...list,
      patternState: async () => ({ revision, patterns: 1 }),
      patternsSince: async () => {
        const read = changed;
        if (endFirst === null) await new Promise<void>((resolve) => (endFirst = resolve));
        return read;
      },
      vectorIndex: () => ({ nearest: async () => [] }),
    };
    const search = createPatternSearch({
      store,
      embedder: fakeEmbedder({ weights: { vector: 0.5, words: 0.5 } }),
    });
    const first = search.search(ask('parcel', { wordsAlone: true }), signal);
    await until('the first read has begun', () => endFirst !== null);
    [revision, changed] = [2, textsOf('about a bank')];
    const second = search.search(ask('bank'), signal);
    await new Promise((resolve) => setImmediate(resolve));
    endFirst!();
    await Promise.all([first, second]);
    const { matches } = await search.search(ask('bank', { wordsAlone: true }), signal);
    expect(matches.map(({ pattern }) => pattern.texts['en'])).toEqual(['about a bank']);
  });

  it('S3-10 an empty knowledge base is an answer, without a call of the embedder', async () => {
    const embedder = fakeEmbedder();
    const search = createPatternSearch({ store: listedPatterns([]), embedder });
    expect(await search.search(ask('bank'), signal)).toMatchObject({ matches: [], patterns: 0 });
    expect(embedder.batches).toEqual([]);
  });

  it('S3-10 S3-14 keeps vectors and words apart and weighs them; a language that cannot be read goes by words alone', async () => {
    const levels = { highFrom: 0.5, mediumFrom: 0.4 };
    const embedder = fakeEmbedder({ languages: ['en'], weights: { vector: 0.85, words: 0.15 }, levels });
    const store = listedPatterns([
      aPattern('p', { texts: { en: 'about a parcel', hi: 'आपका पार्सल सीमा शुल्क में रुका है कृपया शुल्क दें' } }),
      aPattern('q', { texts: { en: 'about a parcel too' } }),
    ]);
    const search = createPatternSearch({ store, embedder });
    const hindi = await search.search(ask('पार्सल सीमा शुल्क में रुका है', { language: 'hi' }), signal);
    expect(hindi.matches[0]).toMatchObject({ language: 'hi', pattern: { id: 'p' }, cosine: null });
    expect(hindi.matches[0]!.similarity).toBe(hindi.matches[0]!.words);
    expect(hindi).toMatchObject({ lookedUpBy: 'words', levels: WORD_LEVELS });
    // Nothing that words alone are asked for waits for vectors.
    expect(embedder.batches).toEqual([]);
    const wrote = 'some parcel about which we wrote to you on monday';
    const { matches, ...how } = await search.search(ask(wrote), signal);
    expect(how).toMatchObject({ lookedUpBy: 'vectors and words', levels });
    expect(matches).toHaveLength(2);
    for (const { similarity, cosine, words } of matches) {
      expect([cosine, words]).toEqual([expect.closeTo(1, 4), expect.any(Number)]);
      expect(similarity).toBeCloseTo(0.85 * cosine! + 0.15 * words!, 6);
    }
    expect(await search.search(ask(wrote, { wordsAlone: true }), signal)).toMatchObject({
      lookedUpBy: 'words',
      matches: [{ cosine: null }, { cosine: null }],
    });
    expect(embedder.batches.flat().filter((text) => /[ऀ-ॿ]/.test(text))).toEqual([]);
  });

  it('S3-10 similarities stay within 0 and 1 and fall, whatever is asked', async () => {
    const search = createPatternSearch({
      store: aStore(),
      embedder: fakeEmbedder({ weights: { vector: 0.85, words: 0.15 } }),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: 'binary' }),
        fc.constantFrom('en', 'hi', 'und'),
        async (text, language) => {
          const { matches } = await search.search(ask(`${text} bank`, { language }), signal);
          const values = matches.map(({ similarity }) => similarity);
          expect(values.every((value) => value >= 0 && value <= 1)).toBe(true);
          expect(values).toEqual(values.toSorted((a, b) => b - a));
        },
      ),
    );
  });
});

describe('embedPatterns', () => {
  const many = Array.from({ length: 40 }, (_, i) => aPattern(`p${i}`));

  it('S3-12 continues where it was broken off, and tells how far it is', async () => {
    const store = listedPatterns(many);
    let calls = 0;
    const failing = fakeEmbedder({
      embed: async (texts) => {
        if ((calls += 1) === 2) throw new CasefileError('network', 'down');
        return texts.map(vectorOf);
      },
    });
    await expect(embedPatterns({ store, embedder: failing, signal })).rejects.toMatchObject({
      reasonCode: 'network',
    });
    const steps: [number, number][] = [];
    const embedder = fakeEmbedder();
    const made = await embedPatterns({ store, embedder, signal, onProgress: (...at) => steps.push(at) });
    expect(made).toBe(24);
    expect(steps).toEqual([
      [0, 24],
      [16, 24],
      [24, 24],
    ]);
    expect(await embedPatterns({ store, embedder, signal })).toBe(0);
    expect(await embedPatterns({ store, embedder: fakeEmbedder({ model: 'new' }), signal })).toBe(40);
  });

  it('S3-12 refuses an embedder that gives too few vectors, or some of another dimension', async () => {
    const store = listedPatterns(many);
    const short = fakeEmbedder({ embed: async () => [[1]] });
    await expect(embedPatterns({ store, embedder: short, signal })).rejects.toMatchObject({
      reasonCode: 'bad_answer',
    });
    const uneven = fakeEmbedder({
      embed: async (texts) => texts.map((_, i) => Array(i + 1).fill(1) as number[]),
    });
    await expect(embedPatterns({ store, embedder: uneven, signal })).rejects.toMatchObject({
      reasonCode: 'invalid_input',
    });
  });
});

describe('vectorScan', () => {
  it('S3-10 says that dimensions differ instead of finding nothing', async () => {
    const store = aStore();
    await embedPatterns({ store, embedder: fakeEmbedder(), signal });
    await expect(vectorScan(store, 'fake').nearest([1, 0], 3)).rejects.toMatchObject({
      reasonCode: 'dimension_mismatch',
    });
  });

  it('S3-10 finds the same as comparing with all of them', async () => {
    const vector = fc.array(fc.integer({ min: -9, max: 9 }), { minLength: 3, maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(fc.array(vector, { minLength: 1, maxLength: 30 }), vector, async (vectors, query) => {
        const store = listedPatterns(vectors.map((_, i) => aPattern(`p${i}`)));
        const texts = vectors.map((_, i) => ({ patternId: `p${i}`, language: 'en', text: `text of p${i}` }));
        await store.saveVectors(
          'm',
          texts.map((text, i) => ({ ...text, vector: vectors[i]! })),
        );
        const found = await vectorScan(store, 'm').nearest(query, 5);
        const norm = (v: number[]) => Math.hypot(...v);
        const cosine = (v: number[]) => {
          const n = norm(v) * norm(query);
          return n === 0 ? 0 : v.reduce((sum, x, i) => sum + x * query[i]!, 0) / n;
        };
        const expected = vectors
          .map(cosine)
          .toSorted((a, b) => b - a)
          .slice(0, 5);
        found.forEach(({ similarity }, i) => expect(similarity).toBeCloseTo(expected[i]!, 3));
        expect(found).toHaveLength(expected.length);
      }),
      { numRuns: 50 },
    );
  });
});

describe('foldSpelling', () => {
  it.each([
    ['one word of romanised Hindi', ['khaata', 'khata', 'खाता']],
    ['diphthongs', ['paisa', 'पैसा']],
    ['v and w', ['vaapas', 'wapas', 'वापस']],
    ['z and j, with and without a nukta', ['zaroor', 'jarur', 'ज़रूर', 'जरूर']],
    ['ph and f', ['phone', 'fone']],
    ['chh and ch', ['achha', 'acha', 'अच्छा']],
    ['nasal vowels', ['mein', 'me', 'में']],
    ['loan words', ['card', 'kard', 'कार्ड']],
    ['abbreviations', ['otp', 'ओटीपी']],
  ])('S3-10 makes one of %s', (_, spellings) => {
    expect(new Set(spellings.map(foldSpelling)).size).toBe(1);
  });

  it('S3-10 keeps different words apart, and the vowels of other scripts', () => {
    expect(new Set(['bank', 'otp', 'bijli', 'police', 'parcel', 'loan'].map(foldSpelling)).size).toBe(6);
    expect(foldSpelling('வங்கிக்')).toBe('வங்கிக்');
  });
});

describe('wordIndex', () => {
  it('S3-10 finds Hindi in either script, and a word by its stem', () => {
    const index = wordIndex();
    index.put(aPattern('power', { texts: { hi: 'आज रात आपकी बिजली काट दी जाएगी, तुरंत अधिकारी को फोन करें' } }));
    index.put(aPattern('prize', { texts: { en: 'You have won a lottery, pay the fee to claim the money' } }));
    const latin = 'aaj raat aapki bijlee kaat di jayegi turant adhikari ko phone kare';
    expect(index.nearest(latin)[0]).toMatchObject({ patternId: 'power', language: 'hi' });
    expect(index.nearest(latin)[0]!.similarity).toBeGreaterThan(0.5);
    expect(index.nearest('lotteries that you were winning need claiming and fees')[0]).toMatchObject({
      patternId: 'prize',
    });
  });

  it('S3-12 forgets the words of a text that was replaced', () => {
    const index = wordIndex();
    index.put(aPattern('a', { texts: { en: 'parcel' } }));
    index.put(aPattern('a', { texts: { en: 'lottery' } }));
    expect(index.nearest('parcel')).toEqual([]);
    expect(index.nearest('lottery')).toHaveLength(1);
  });

  it('S3-10 finds words of any script; a message of one word is like nothing for having it', () => {
    const index = wordIndex();
    index.put(aPattern('a', { texts: { hi: 'आपका बैंक खाता बंद हो जाएगा', ta: 'உங்கள் வங்கிக் கணக்கு' } }));
    expect(index.nearest('मेरा बैंक खाता')[0]).toMatchObject({ patternId: 'a', language: 'hi' });
    expect(index.nearest('வங்கிக்')[0]!.similarity).toBeLessThan(0.2);
    expect(index.nearest('?!')).toEqual([]);
  });
});
