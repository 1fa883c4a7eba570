import type { ResearchOutcome, JsonObject } from '@casefile/contracts';
import { inlineWorld, type World } from '../../testing/world.js';

const site = 'https://www.cna.com.tw/news';
const TEXT = 'Harbour City council said on 12 March 2026 that it bought 40 electric buses.';
const GRAPH = {
  '@context': 'https://schema.org',
  '@graph': [
    { '@type': 'WebPage', name: 'x' },
    { '@type': 'NewsArticle', headline: 'Buses', description: TEXT },
  ],
};

/** Questions with results as other systems send them, and what the outcome must and must not contain. */
const INPUTS: [what: string, payload: JsonObject, holds: string, not: string][] = [
  [
    'a result of Tavily',
    {
      query: 'How many electric buses did Harbour City buy (tavily)?',
      items: [{ title: 'Buses', url: `${site}/1`, content: TEXT, score: 0.9, raw_content: null }],
    },
    '40 electric buses',
    'without text',
  ],
  [
    'a graph in a tuple',
    {
      query: 'How many electric buses did Harbour City buy (graph)?',
      items: [[`${site}/2`, JSON.stringify(GRAPH), 'Buses', 'cna']],
    },
    '40 electric buses',
    'without text',
  ],
  [
    'a description that is a list',
    {
      query: 'How many electric buses did Harbour City buy (list)?',
      items: [{ url: `${site}/3`, name: 'Buses', description: [TEXT] }],
    },
    '40 electric buses',
    '深度研究報告',
  ],
  [
    'an answer of SerpAPI',
    {
      query: 'How many electric buses did Harbour City buy (serpapi)?',
      items: { organic_results: [{ title: 'Buses', link: `${site}/4`, snippet: TEXT }] },
    },
    '40 electric buses',
    'without text',
  ],
  [
    'a result without text',
    {
      query: 'How many electric buses did Harbour City buy (nothing)?',
      items: [{ url: `${site}/5`, name: 'Buses', description: { a1: 5 } }],
    },
    'Sources without text',
    '40 electric buses',
  ],
  [
    'a Japanese question',
    {
      query: '東京都は2026年に何台のバスを買いましたか',
      items: [{ url: `${site}/7`, name: 'b', description: '東京都は2026年3月に40台のバスを買いました。' }],
    },
    'Research report: 東京都は',
    '來源摘錄',
  ],
  [
    'a German date',
    {
      query: 'Wie viele Busse kaufte Hafenstadt 2026?',
      items: [
        { url: `${site}/8`, name: 'b', description: 'Hafenstadt kaufte am 12. März 2026 vierzig Busse.' },
      ],
    },
    'am 12. März 2026',
    '> März 2026 vierzig Busse.',
  ],
  [
    'a Korean question',
    {
      query: '서울시는 버스를 몇 대 샀습니까',
      items: [
        { url: `${site}/10`, name: 'b', description: '날씨가 맑습니다. 서울시는 버스 40대를 샀습니다.' },
      ],
    },
    '> 서울시는 버스 40대를 샀습니다.',
    '날씨가',
  ],
  [
    'a Russian question',
    {
      query: 'Сколько автобусов купила Москва?',
      items: [{ url: `${site}/11`, name: 'b', description: 'Было солнечно. Москва купила 40 автобусов.' }],
    },
    '> Москва купила 40 автобусов.',
    '> Было солнечно',
  ],
  [
    'a Korean question about an English page',
    {
      query: '하버시티는 버스를 몇 대 샀습니까',
      items: [{ url: `${site}/12`, name: 'b', description: TEXT }],
    },
    '40 electric buses',
    '來源摘錄',
  ],
  [
    'a Chinese question',
    {
      query: '海灣市買了幾輛電動公車？',
      items: [{ url: `${site}/9`, name: 'b', description: '海灣市買了40輛電動公車。' }],
    },
    '深度研究報告：海灣市',
    'Research report',
  ],
];

describe('questions with search results of other systems, without a model', () => {
  let world: World;
  beforeAll(async () => void (world = await inlineWorld(null)));
  afterAll(() => world.close());

  it.each(INPUTS)('S5-04 S5-20 S5-31 %s', async (what, payload, holds, not) => {
    const { caseId } = await world.accept({ playbook: 'research', payload });
    const { verdict } = (await world.ended(caseId)).runs[0]!;
    const outcome = verdict!.outcome as unknown as ResearchOutcome;
    expect(JSON.stringify(outcome)).toContain(holds);
    expect(JSON.stringify(outcome)).not.toContain(not);
    const untold = what === 'a result without text';
    expect(outcome.withoutText).toEqual(untold ? [`${site}/5`] : undefined);
    expect(verdict!.reasons.some((reason) => reason.includes('1 of 1 sources came without text'))).toBe(
      untold,
    );
  });
});
