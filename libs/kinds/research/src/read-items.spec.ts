import type { Json } from '@casefile/contracts';
import { readRequest, requestProblems } from './read-input.js';
import { listIn, readItems } from './read-items.js';

const TEXT = 'Harbour City council said on 12 March 2026 that it bought 40 electric buses.';
const MORE = 'The mayor opened the depot in April, and the first line runs from May.';
const url = 'https://www.cna.com.tw/news/1';
const ARTICLE = { '@type': 'NewsArticle', headline: 'Buses', description: TEXT };
const GRAPH = {
  '@context': 'https://schema.org',
  '@graph': [
    { '@type': 'WebSite', '@id': '#site', name: 'News', description: 'All the news of the harbour' },
    { '@type': ['Organization', 'Brand'], '@id': '#org', name: '中央社' },
    { '@type': 'WebPage', name: 'x' },
    { ...ARTICLE, publisher: { '@id': '#org' }, datePublished: '2026-03-12' },
  ],
};
const linked = (schema: unknown): unknown[] => [url, JSON.stringify(schema), 'Buses', ''];

/** Results as their senders document them; each holds the text. */
const SHAPES: [sender: string, item: unknown][] = [
  ['Tavily', { title: 'Buses', url, content: TEXT, score: 0.9, raw_content: null }],
  ['Tavily with the page', { title: 'Buses', url, content: 'Harbour', raw_content: `${TEXT}\n${MORE}` }],
  ['SearXNG', { url, title: 'Buses', content: TEXT, engine: 'bing', engines: ['bing'], publishedDate: null }],
  ['Exa, text', { id: url, url, title: 'Buses', text: TEXT, author: null }],
  ['Exa, summary', { id: url, title: 'Buses', summary: TEXT }],
  ['Exa, highlights', { url, title: 'Buses', highlights: ['Harbour', TEXT], highlightScores: [0.1, 0.2] }],
  ['SerpAPI', { position: 1, title: 'Buses', link: url, snippet: TEXT, source: 'BBC', date: 'Mar 12, 2026' }],
  ['DuckDuckGo', { title: 'Buses', href: url, body: TEXT }],
  ['Brave', { title: 'Buses', url, description: '', extra_snippets: [TEXT] }],
  ['Google', { title: 'Buses', link: url, snippet: TEXT, displayLink: 'www.cna.com.tw' }],
  ['You.com', { title: 'Buses', url, snippets: [TEXT, MORE] }],
  ['Firecrawl', { markdown: TEXT, metadata: { sourceURL: url, title: 'Buses' } }],
  ['LangChain', { page_content: TEXT, metadata: { source: url, title: 'Buses' } }],
  ['Linkup', { type: 'text', name: 'Buses', url, content: TEXT }],
  ['NLWeb object', { url, name: 'Buses', site: 'cna', score: 70, description: TEXT, schema_object: {} }],
  ['NLWeb, description as list', { url, name: 'Buses', description: [TEXT] }],
  ['NLWeb, schema as list', { url, name: 'Buses', schema_object: [{ '@type': 'BreadcrumbList' }, ARTICLE] }],
  ['NLWeb, schema as text of a list', { url, name: 'Buses', schema_json: JSON.stringify([{}, ARTICLE]) }],
  ['tuple with a graph', linked(GRAPH)],
  ['tuple with a list of graphs', linked([{ '@graph': [{ '@type': 'Person', name: 'A' }] }, GRAPH])],
  ['tuple with a value', linked({ ...ARTICLE, description: { '@value': TEXT, '@language': 'en' } })],
  ['tuple with values', linked({ ...ARTICLE, description: [{ '@value': TEXT }, { '@value': MORE }] })],
  ['tuple with a JSON-LD list', linked({ ...ARTICLE, articleBody: { '@list': [TEXT, MORE] } })],
  ['tuple with texts by language', linked({ ...ARTICLE, description: { en: TEXT, 'zh-TW': '公車' } })],
  ['expanded JSON-LD', linked([{ 'http://schema.org/description': [{ '@value': TEXT }] }])],
  ['prefixed JSON-LD', linked({ '@type': 'schema:NewsArticle', 'schema:articleBody': TEXT })],
  ['JSON-LD itself', { '@context': 'https://schema.org', ...ARTICLE, mainEntityOfPage: { '@id': url } }],
  ['a graph itself', { '@graph': [GRAPH['@graph'][0], { ...ARTICLE, url }] }],
  ['a list item', { '@type': 'ListItem', position: 1, item: { ...ARTICLE, url } }],
  [
    'questions and answers',
    linked({
      '@type': 'FAQPage',
      mainEntity: [
        { '@type': 'Question', name: 'How many?', acceptedAnswer: { '@type': 'Answer', text: TEXT } },
      ],
    }),
  ],
];

describe('search results of other systems', () => {
  it.each(SHAPES)('S5-04 the text of a result of %s is read', (_sender, item) => {
    expect(requestProblems({ payload: { query: 'q', items: [item as Json] } })).toEqual([]);
    const [read, ...others] = readItems([item]);
    expect(others).toEqual([]);
    expect(read).toMatchObject({ url, text: expect.stringContaining(TEXT) });
    expect(read!.description).not.toBe('undefined');
    expect(read!.text).not.toContain('All the news of the harbour');
  });

  it.each([
    ['results', { results: [{ url, content: TEXT }] }],
    ['organic_results', { organic_results: [{ link: url, snippet: TEXT }] }],
    ['Brave', { web: { results: [{ url, description: TEXT }] } }],
    ['Bing', { webPages: { value: [{ url, snippet: TEXT }] } }],
    ['Firecrawl', { success: true, data: [{ url, markdown: TEXT }] }],
    [
      'JSON-LD',
      { '@type': 'ItemList', itemListElement: [{ '@type': 'ListItem', item: { url, text: TEXT } }] },
    ],
    ['one answer among items', [{ query: 'q', results: [{ url, content: TEXT }] }]],
    ['a list of lists', [[{ url, content: TEXT }]]],
    ['one result', [{ url, content: TEXT }]],
  ])('S5-04 a list in the form %s is read, as items and as the answer of a tool', (_form, items) => {
    const payload = { query: 'q', items: items as Json };
    expect(requestProblems({ payload })).toEqual([]);
    expect(readRequest({ payload }).items).toMatchObject([{ url, text: TEXT }]);
    expect(readItems(listIn(items) ?? [])).toMatchObject([{ url, text: TEXT }]);
  });

  it('S5-04 results next to the question are read, and what holds none is refused', () => {
    const payload = { query: 'q', results: [{ url, content: TEXT }] };
    expect(readRequest({ payload }).items).toMatchObject([{ text: TEXT }]);
    for (const items of ['text', 5, { query: 'x' }])
      expect(requestProblems({ payload: { query: 'q', items } })[0]?.path).toBe('payload.items');
    for (const item of ['x', { title: 'no address' }, { url: 'http://[' }, ['ftp://a']])
      expect(requestProblems({ payload: { query: 'q', items: [item as Json] } })[0]?.path).toBe(
        'payload.items.0',
      );
  });

  it.each([
    ['2026-03-12', '2026-03-12'],
    ['Mar 12, 2026', '2026-03-12T00:00:00.000Z'],
    ['Thu, 12 Mar 2026 08:00:00 GMT', '2026-03-12T08:00:00.000Z'],
    ['3 days ago', null],
    ['Page 5', null],
  ])('S5-13 a result of the day %s is of %s', (date, published) => {
    expect(readItems([{ url, date }])[0]?.published).toBe(published);
  });

  it('S5-04 a publisher is found by its reference', () => {
    expect(readItems([linked(GRAPH)])[0]).toMatchObject({ site: '中央社', published: '2026-03-12' });
  });

  it('S5-04 nothing that is no text becomes one', () => {
    const items = [
      { url, name: 'Buses', description: null },
      [`${url}2`, 'not json', 'Buses', ''],
      { url: `${url}3`, title: 'Buses', content: { a1: [5, null, true] }, raw_content: 7 },
    ];
    expect(readItems(items).map(({ text, description }) => [text, description])).toEqual(
      items.map(() => ['', '']),
    );
  });
});

describe('the language of a question', () => {
  it.each([
    ['zh', '電價會漲嗎'],
    ['zh', '网传停水三天是真的吗'],
    ['zh', 'iPhone 17 Pro Max 會漲價嗎'],
    ['zh', '優の良品是哪一國的公司？老闆是誰？公司在哪裡？'],
    ['en', '東京都は2026年に何台のバスを買いましたか'],
    ['en', 'トヨタは何台売りましたか'],
    ['en', '서울시는 버스를 몇 대 샀습니까'],
    ['en', '서울市는 버스를 몇 대 샀습니까'],
    ['en', 'Is 台積電 building a plant in Dresden?'],
    ['en', 'Wie viele Busse kaufte Hafenstadt 2026?'],
    ['en', 'Сколько автобусов купил город?'],
    ['en', '2026?'],
  ])('S5-20 is %s: %s', (language, query) => {
    expect(readRequest({ payload: { query } }).request.language).toBe(language);
  });
});
