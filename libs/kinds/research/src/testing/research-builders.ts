import { researchOutcomeSchema, type JsonObject } from '@casefile/contracts';
import { reviewIn } from '../result.js';
import type { Played } from './research-world.js';

/** An answer of the analyst. */
export const analyst = (draft: string, more: JsonObject = {}): string =>
  JSON.stringify({ status: 'DRAFT_READY', newQueries: [], draft, reasoningChain: '先看官方來源。', ...more });

/** An answer of the analyst that asks for searches. */
export const searchFor = (...newQueries: string[]): string =>
  JSON.stringify({ status: 'SEARCH_REQUIRED', newQueries, draft: '', reasoningChain: '缺少公告。' });

/** An answer of the critic. */
export const critic = (status: string, more: JsonObject = {}): string =>
  JSON.stringify({
    status,
    critique: '看過了。',
    suggestions: [],
    modeCompliance: '符合',
    logicalGaps: [],
    ...more,
  });

/** An answer of the writer. */
export const writer = (finalReport: string, more: JsonObject = {}): string =>
  JSON.stringify({ finalReport, sourcesUsed: [], confidenceLevel: 'High', ...more });

const article = (
  site: string,
  n: number,
  name: string,
  articleBody: string,
  datePublished: string | null = '2025-03-28',
): JsonObject => ({
  url: `https://source${n}.example/${n}`,
  name,
  site,
  description: articleBody.slice(0, 30),
  schema_object: {
    '@type': 'NewsArticle',
    articleBody,
    ...(datePublished === null ? {} : { datePublished }),
  },
});

/** Search results for one query, one per sort of tier. */
export const ITEMS: JsonObject[] = [
  article(
    '中央社',
    1,
    '電價審議會決議調漲',
    '經濟部電價審議會28日決議，4月起平均電價調漲3.1%。住宅用電330度以下不調整。',
  ),
  article('聯合報', 2, '產業電價漲幅', '受影響的工業用戶約41.5萬戶，平均漲幅5%。'),
  article('報導者', 3, '電價補貼的分析', '報導分析台電累積虧損4,000億元。', null),
  article('PTT', 4, '[爆卦] 電價要漲三成', '網友說電價要漲三成，還說8月再漲一次。'),
  article('某部落格', 5, '電價懶人包', '整理電價資訊。', null),
];
export const QUERY = '電價4月是否調漲三成？';

/** A draft that the sources support. */
export const GOOD = '平均電價4月起調漲3.1%[E1]。網路上有人說要漲三成[E4]，沒有其他來源證實。';
/** A request in the mode strict. */
export const strict = (more: JsonObject = {}) => ({
  query: QUERY,
  sourceMode: 'strict',
  items: ITEMS,
  ...more,
});
/** A request in the mode discovery. */
export const discovery = (more: JsonObject = {}) => ({
  query: QUERY,
  sourceMode: 'discovery',
  items: ITEMS,
  ...more,
});
/** Outcome of a research. */
export const outcome = ({ verdict }: Played) => researchOutcomeSchema.parse(verdict.outcome);
/** The artifacts of a name, by round. */
export const of = ({ artifacts }: Played, name: string) => artifacts.filter((one) => one.name === name);
/** The prompts that were asked by, in order. */
export const prompts = ({ calls }: Played) =>
  calls.map(({ request }) => request.promptId.replace(/@\d+$/, ''));
/** Returns the texts that models were shown, in order. */
export const texts = ({ calls }: Played) =>
  calls.map(({ request }) => request.messages.map(({ content }) => content).join('\n'));
/** The reviews, by round. */
export const reviews = (played: Played) =>
  of(played, 'review').map(({ body }) => ({
    ruling: body['ruling'],
    findings: body['findings'],
    answer: reviewIn(body as never),
  }));
