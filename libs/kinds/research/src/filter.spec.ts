import type { FoundItem, SourceMode } from '@casefile/contracts';
import { filterSources } from './filter.js';
import { options } from './options.js';
import { readRequest, requestProblems } from './read-input.js';
import { readItems } from './read-items.js';
import { findTier } from './tiers.js';

const defaults = options.read(options.defaults);
const found = (site: string, more: Partial<FoundItem> = {}): FoundItem => ({
  url: `https://news.example/${encodeURIComponent(site)}`,
  name: site,
  site,
  description: '內容',
  text: '內容',
  published: null,
  ...more,
});
const ALL = [
  '中央社',
  '公視',
  '行政院',
  '聯合報',
  '經濟日報',
  '自由時報',
  '報導者',
  '關鍵評論網',
  'PTT',
  'Dcard',
  '某部落格',
];
const filtered = (
  mode: SourceMode,
  items = ALL.map((site) => found(site)),
  days: { from?: string; to?: string } = {},
) => filterSources(items, { mode, from: days.from ?? null, to: days.to ?? null, options: defaults });

describe('the tiers of sources', () => {
  it.each([
    ['中央社', 1, 'official'],
    ['公視', 1, 'official'],
    ['行政院', 1, 'government'],
    ['聯合報', 2, 'news'],
    ['經濟日報', 2, 'news'],
    ['自由時報', 2, 'news'],
    ['報導者', 3, 'digital'],
    ['關鍵評論網', 3, 'digital'],
    ['PTT', 5, 'social'],
    ['Dcard', 5, 'social'],
    [' ＰＴＴ ', 5, 'social'],
    ['dcard', 5, 'social'],
    ['www.cna.com.tw', 1, 'official'],
    ['某部落格', null, undefined],
  ])('S5-02 %s is in tier %s', (site, tier, type) => {
    const entry = findTier({ site, url: 'https://elsewhere.example/1' }, defaults.sourceTiers);
    expect([entry?.tier ?? null, entry?.type]).toEqual([tier, type]);
  });

  it('S5-02 go by the registrable domain where a name is not known, and 台 or 臺 is the same', () => {
    const own = [{ name: '台灣通訊', tier: 4, type: 'digital', domains: ['taiwan-wire.example.com'] }];
    expect(findTier({ site: '臺灣通訊', url: 'https://x.example' }, own)?.tier).toBe(4);
    expect(findTier({ site: '新聞網', url: 'https://www.ptt.cc/bbs/1' }, defaults.sourceTiers)?.name).toBe(
      'PTT',
    );
    expect(
      findTier({ site: '新聞網', url: 'https://ptt.cc.evil.example/1' }, defaults.sourceTiers),
    ).toBeNull();
  });

  it('S5-02 tier 4 is empty as shipped', () => {
    expect(defaults.sourceTiers.filter(({ tier }) => tier === 4)).toEqual([]);
  });
});

describe('the filter of a mode', () => {
  it('S5-10 strict keeps tiers 1 and 2, and says of the others why and who would keep them', () => {
    const { kept, leftOut } = filtered('strict');
    expect(kept.map(({ site }) => site)).toEqual(ALL.slice(0, 6));
    expect(leftOut.map(({ site, tier, why }) => [site, tier, why])).toEqual([
      ['報導者', 3, 'tier'],
      ['關鍵評論網', 3, 'tier'],
      ['PTT', 5, 'tier'],
      ['Dcard', 5, 'tier'],
      ['某部落格', null, 'unknown'],
    ]);
    expect(leftOut.every(({ keptBy }) => keptBy.join() === 'discovery,monitor')).toBe(true);
  });

  it('S5-11 discovery keeps all, with a warning before tiers 3 to 5 and unknown ones', () => {
    const { kept, leftOut } = filtered('discovery');
    expect([kept.length, leftOut.length]).toEqual([ALL.length, 0]);
    expect(kept.map(({ warning }) => warning !== null)).toEqual(ALL.map((_, i) => i >= 6));
    for (const { description, warning } of kept)
      expect(description.startsWith(`${warning ?? ''}[Tier `)).toBe(true);
  });

  it('S5-12 monitor keeps all, without warnings', () => {
    const { kept } = filtered('monitor');
    expect(kept.map(({ warning }) => warning)).toEqual(ALL.map(() => null));
  });

  it('S5-13 marks each with exactly its tier, type and name as it came, and puts the tier before its description', () => {
    const { kept } = filtered('discovery', [found('臺灣 公視'), found(' 公視 '), found('某部落格')]);
    expect(kept.map((source) => source._reasoning_metadata)).toEqual([
      { tier: null, type: 'unknown', original_source: '臺灣 公視' },
      { tier: 1, type: 'official', original_source: ' 公視 ' },
      { tier: null, type: 'unknown', original_source: '某部落格' },
    ]);
    expect(kept[1]?.description).toBe('[Tier 1 | official] 內容');
    expect(kept[2]?.description).toContain('[Tier ? | unknown] 內容');
  });

  it('S5-04 changes nothing of what it is given, and marks nothing twice', () => {
    const items = [found('PTT'), found('中央社')].map((item) => Object.freeze(item));
    const once = filtered('discovery', items).kept;
    expect(items.map(({ description }) => description)).toEqual(['內容', '內容']);
    expect(filtered('discovery', once).kept.map(({ description }) => description)).toEqual(
      once.map(({ description }) => description),
    );
  });

  it('S5-14 leaves out what is of other days, and keeps and counts what has no date', () => {
    const items = [
      found('中央社', { published: '2025-03-01T08:00:00Z' }),
      found('公視', { published: '2025-02-28T23:00:00Z' }),
      found('聯合報', { published: '2025-03-31T20:00:00Z' }),
      found('自由時報'),
      found('行政院', { published: '2025-04-02' }),
    ];
    const { kept, leftOut, undated } = filtered('strict', items, { from: '2025-03-01', to: '2025-03-31' });
    expect(kept.map(({ site }) => site)).toEqual(['中央社', '聯合報', '自由時報']);
    expect(leftOut.map(({ site, why, keptBy }) => [site, why, keptBy])).toEqual([
      ['公視', 'date', []],
      ['行政院', 'date', []],
    ]);
    expect(undated).toBe(1);
  });
});

describe('what is handed in', () => {
  it('S5-04 is read as NLWeb gives it, as an object or a tuple, and as Exa does', () => {
    const schema = {
      '@type': 'NewsArticle',
      headline: '標題',
      articleBody: '本文',
      datePublished: '2025-03-01',
    };
    const items = readItems([
      { url: 'https://a.example/1', name: '一', site: '中央社', description: '摘要', schema_object: schema },
      ['https://www.b.example/2', JSON.stringify(schema), '二', ''],
      {
        url: 'https://c.example/3',
        title: '三',
        publishedDate: '2025-03-02T00:00:00Z',
        text: '全文',
        highlights: ['重點'],
      },
    ]);
    expect(items).toEqual([
      {
        url: 'https://a.example/1',
        name: '一',
        site: '中央社',
        description: '摘要',
        text: '標題\n摘要\n本文',
        published: '2025-03-01',
      },
      {
        url: 'https://www.b.example/2',
        name: '二',
        site: 'b.example',
        description: '',
        text: '標題\n本文',
        published: '2025-03-01',
      },
      {
        url: 'https://c.example/3',
        name: '三',
        site: 'c.example',
        description: '重點',
        text: '重點\n全文',
        published: '2025-03-02T00:00:00Z',
      },
    ]);
  });

  it('S5-04 counts an address once', () => {
    const urls = ['https://a.example/x/', 'https://A.example/x#top', 'https://a.example/x?p=1'];
    expect(readItems(urls.map((url) => ({ url, name: url }))).map(({ url }) => url)).toEqual([
      urls[0],
      urls[2],
    ]);
  });

  it('S5-04 names each wrong field', () => {
    const wrong = { query: ' ', sourceMode: 'loose', temporalContext: { from: 'yesterday' } };
    expect(requestProblems({ payload: wrong }).map(({ path }) => path)).toEqual([
      'payload.query',
      'payload.sourceMode',
      'payload.temporalContext.from',
    ]);
    expect(requestProblems({ payload: { query: 'x', items: [{ url: 'ftp://a' }] } })[0]?.path).toBe(
      'payload.items.0',
    );
    expect(requestProblems({ payload: { query: 'x', items: [] } })).toEqual([]);
  });

  it('S5-20 goes by the language of the query', () => {
    expect(readRequest({ payload: { query: '電價會漲嗎' } }).request).toMatchObject({
      language: 'zh',
      mode: 'discovery',
    });
    expect(
      readRequest({ payload: { query: 'Will prices rise?', sourceMode: 'strict' } }).request,
    ).toMatchObject({ language: 'en', mode: 'strict' });
  });
});
