import { testRecord } from '@casefile/store/testing';
import { aPolicy, digest } from '../testing/subjects.js';
import type { PolicyBase, PolicyInput } from './policy-base.js';
import { postgresPolicies, searchConfiguration } from './postgres-policies.js';
import { textPieces } from './text-spans.js';

const record = testRecord();
let store: PolicyBase;
beforeEach(() => (store = postgresPolicies(record().store.database)));

const inLanguage = (policyId: string, language: string, ...texts: string[]): PolicyInput =>
  aPolicy({
    policyId,
    language,
    sections: texts.map((text, i) => ({
      nodeId: `000${i + 1}`,
      parentId: null,
      level: 1,
      title: 'x',
      text,
      summary: '',
      pages: null,
      lines: null,
    })),
  });

describe('the words of a policy in Postgres', () => {
  it.each([
    ['en', 'Claims are notified in writing.', 'notify a claim'],
    ['de', 'Schäden werden schriftlich gemeldet.', 'schriftliche Form'],
    ['fr', 'Les sinistres sont déclarés par écrit.', 'déclarer un sinistre'],
    ['de-AT', 'Die Häuser sind versichert.', 'Haus versichern'],
  ])('S4-10 S4-12 are found by their stems in %s', async (language, text, query) => {
    const policyId = `stems-${language.toLowerCase()}`;
    const { version } = await store.importPolicy(inLanguage(policyId, language, 'y', text));
    const found = await store.searchPolicy({ policyId, version }, query, 5);
    expect(found).toMatchObject([{ nodeId: '0002' }]);
    const spans = await store.findSpans({ policyId, version }, ['0002'], query, 5);
    expect(spans).toMatchObject([{ text }]);
  });

  it('S4-14 another language over the same text is another version, for its words are others', async () => {
    await store.importPolicy(inLanguage('lang', 'en', 'Claims are notified.'));
    expect(await store.importPolicy(inLanguage('lang', 'de', 'Claims are notified.'))).toMatchObject({
      version: 2,
    });
  });

  it('S4-14 that fails in the middle leaves nothing', async () => {
    const broken = aPolicy({ policyId: 'broken', pages: 2_147_483_648 });
    await expect(store.importPolicy(broken)).rejects.toMatchObject({ reasonCode: 'store_error' });
    expect(await store.policyVersion('broken')).toBeNull();
    expect(await store.importPolicy(aPolicy({ policyId: 'broken' }))).toMatchObject({ version: 1 });
  });

  it('S4-14 a document of 5,000 sections is kept as one', async () => {
    const sections = Array.from({ length: 5_000 }, (_, i) => ({
      nodeId: String(i),
      parentId: null,
      level: 1,
      title: `Rule ${i}`,
      text: `what number ${i} says`,
      summary: '',
      pages: { from: i + 1, to: i + 1 },
      lines: null,
    }));
    const large = aPolicy({ policyId: 'large', sections, sourceDigest: digest('large'), pages: 5_000 });
    const { version } = await store.importPolicy(large);
    expect(await store.policyTree({ policyId: 'large', version })).toHaveLength(5_000);
    expect(await store.searchPolicy({ policyId: 'large', version }, 'number 4711', 3)).toMatchObject([
      { nodeId: '4711' },
      {},
      {},
    ]);
  });

  it('S4-10 uses a dictionary that Postgres has, or none', () => {
    expect(['en-GB', 'hi', 'hi-Latn', 'ja', 'und'].map(searchConfiguration)).toEqual([
      'english',
      'hindi',
      'simple',
      'simple',
      'simple',
    ]);
  });
});

describe('S4-12 the pieces of a text', () => {
  it('are its own words at their own place', () => {
    const text = 'One rule. Another rule!\n\n  - a point\n| a | b |\nhalf';
    const pieces = textPieces(text, 'en');
    expect(pieces.map((piece) => piece.text)).toEqual([
      'One rule.',
      'Another rule!',
      '- a point',
      '| a | b |',
      'half',
    ]);
    for (const piece of pieces)
      expect(text.slice(piece.start, piece.start + piece.text.length)).toBe(piece.text);
  });
});
