import { readFileSync } from 'node:fs';
import { reportItemSchema } from '@casefile/contracts';
import { reportItem, reportUrl, itemScore } from './item.js';

const best = { ruling: 'PASS', share: 1, bestTier: 1, converged: true } as const;

describe('the score of a report', () => {
  it.each([
    ['everything well', {}, 100],
    ['a warning', { ruling: 'WARN' as const }, 85],
    ['no critic', { ruling: null }, 85],
    ['half supported', { share: 0.5 }, 80],
    ['news alone', { bestTier: 2 }, 98],
    ['forums alone', { bestTier: 5 }, 92],
    ['unknown sources alone', { bestTier: null }, 90],
    ['rounds ran out', { ruling: 'REJECT' as const, converged: false, share: 0.25 }, 25],
  ])('S5-31 with %s', (_what, more, expected) => {
    expect(itemScore({ ...best, ...more })).toBe(expected);
  });
});

describe('an item', () => {
  it.each([
    ['zh', '深度研究報告：q'],
    ['en', 'Research report: q'],
  ] as const)('S5-31 is named in the language of the question: %s', (language, name) => {
    const request = { query: 'q', mode: 'strict' as const, language };
    const item = reportItem(request, 'c', { score: 1, description: '' });
    expect(item.name).toBe(name);
  });

  it('S5-31 has an address of mode, query and case, also for a query of other letters', () => {
    expect(reportUrl('strict', '電價會漲嗎', 'c-1')).toBe(
      `https://deep-research.internal/strict/${encodeURIComponent('電價會漲嗎')}#c-1`,
    );
    const long = '😀'.repeat(80);
    expect(
      decodeURIComponent(reportUrl('monitor', long, ''))
        .split('/')
        .at(-1),
    ).toBe('😀'.repeat(50));
    expect(() => reportUrl('strict', 'a\ud800', '')).not.toThrow();
  });

  it('S5-30 has the shape of the published schema', () => {
    const about = {
      mode: 'strict',
      iterations: 2,
      sources_used: [],
      confidence: 'Low',
      total_sources_analyzed: 3,
    };
    const item = reportItem({ query: '電價', mode: 'strict', language: 'zh' }, 'c', {
      score: 7,
      description: 'x',
      about,
    });
    expect(item).toMatchObject({
      '@type': 'Item',
      name: '深度研究報告：電價',
      site: 'Deep Research Module',
      siteUrl: 'https://deep-research.internal',
    });
    const schema = JSON.parse(
      readFileSync(new URL('../../../../docs/schemas/item.json', import.meta.url), 'utf8'),
    ) as {
      items: { required: string[]; properties: object };
    };
    const { schema_object: _, ...fields } = reportItemSchema.shape;
    expect(Object.keys(fields).sort()).toEqual([...schema.items.required].sort());
    expect(Object.keys(item).every((key) => key in schema.items.properties)).toBe(true);
  });
});
