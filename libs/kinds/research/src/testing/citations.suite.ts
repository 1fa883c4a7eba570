import { seededRandom } from '@casefile/contracts';
import { FORGERIES, PERIOD, type CitedSentence } from './citation-forger.js';
import { forgedInChinese, honestInChinese } from './citation-forger-zh.js';
import { forgedInEnglish, honestInEnglish } from './citation-forger-en.js';
import { checkReport } from '../check/check-report.js';
import { prepareOriginal } from '../check/passages.js';

const TYPES: Record<string, string> = {
  '1': 'official',
  '2': 'news',
  '3': 'digital',
  '5': 'social',
  null: 'unknown',
};

function stateOf({ sentence, sources }: CitedSentence) {
  const originals = sources.map(({ id, text, site, published, tier }) =>
    prepareOriginal(id, { text, told: site, published, tier, type: TYPES[String(tier)]! }),
  );
  return checkReport(sentence, { originals, query: '', ...PERIOD, maxTier: 5 });
}

/**
 * Tests citations made by a generator that was written before the verifier.
 * @param seeds Seeds of the runs.
 * @param count Citations of a run, of which three in ten are in Chinese.
 */
export function verifiesCitations(seeds: readonly number[], count: number): void {
  const CHINESE = Math.round(count * 0.3);
  const ENGLISH = count - CHINESE;

  it.each(seeds)(
    'S5-70 of many honest ones, three in ten in Chinese, none is called wrong, seed %i',
    (seed) => {
      const draw = seededRandom(seed);
      const honest = [
        ...Array.from({ length: CHINESE }, () => honestInChinese(draw)),
        ...Array.from({ length: ENGLISH }, () => honestInEnglish(draw)),
      ];
      const wrong = honest
        .map((one) => ({ one, checked: stateOf(one) }))
        .filter(({ checked }) => checked.sentences.map(({ state }) => state).join() !== 'verified')
        .map(({ one, checked }) => [
          one.sentence,
          checked.sentences.flatMap(({ problems }) => problems),
          one.sources.find(({ id }) => one.sentence.includes(`[${id}]`))?.text,
        ]);
      expect(wrong).toEqual([]);
    },
  );

  it.each(seeds)('S5-70 of many forged ones, three in ten in Chinese, all are caught, seed %i', (seed) => {
    const draw = seededRandom(1_000 + seed);
    const way = (i: number) => FORGERIES[i % FORGERIES.length]!;
    const forged = [
      ...Array.from({ length: CHINESE }, (_, i) => forgedInChinese(draw, way(i))),
      ...Array.from({ length: ENGLISH }, (_, i) => forgedInEnglish(draw, way(i))),
    ];
    const missed = forged
      .filter((one) => stateOf(one).sentences.every(({ state }) => state !== 'unsupported'))
      .map((one) => [
        one.forged,
        one.sentence,
        one.sources.find(({ id }) => one.sentence.includes(`[${id}]`))?.text,
      ]);
    expect(missed).toEqual([]);
  });

  it('S5-24 words that bear a sentence out are kept as they stand in the source', () => {
    const draw = seededRandom(7);
    for (const one of Array.from({ length: 50 }, () => honestInChinese(draw)))
      for (const { quotes } of stateOf(one).sentences)
        for (const { id, quote } of quotes) {
          const source = one.sources.find((source) => source.id === id)!;
          expect(`${source.site}\n${source.text}`).toContain(quote);
        }
  });
}
