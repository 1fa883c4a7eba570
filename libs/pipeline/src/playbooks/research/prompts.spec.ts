import type { Draft, Evidence, JsonObject, Question, Review } from '@casefile/contracts';
import { requestOf } from '../../ask.js';
import { goldenFile } from '@casefile/contracts/testing';
import { analyst, critic, ITEMS, QUERY, writer } from '../../testing/research-builders.js';
import { playResearch } from '../../testing/research-world.js';
import { shippedPrompts } from '../../testing/shipped-prompts.js';
import { analystQuestion } from './model/analyst.js';
import { clarificationQuestion } from './model/clarification.js';
import { criticQuestion } from './model/critic.js';
import { writerQuestion } from './model/writer.js';
import { options } from './options.js';
import { readRequest } from './read-input.js';

const MARK = '0123456789abcdef';
const QUERIES = { zh: QUERY, en: 'Did the price of power rise by 30% in April?' };
const DRAFT = '平均電價4月起調漲3.4%[E1]。';

/** A round that was sent back, in the query's language. */
async function rejected(query: string) {
  const payload: JsonObject = {
    query,
    sourceMode: 'monitor',
    items: ITEMS,
    temporalContext: { from: '2025-01-01' },
  };
  const reject = critic('REJECT', { suggestions: ['E1: 3.1%'], logicalGaps: ['只有一個來源'] });
  const answers = [analyst(DRAFT), reject, analyst(DRAFT), critic('WARN'), writer(DRAFT)];
  const { artifacts } = await playResearch(payload, { answers });
  const of = (name: string) => artifacts.find((one) => one.name === name)!.body as never;
  const { request } = readRequest({ payload });
  return {
    request,
    evidence: of('evidence') as Evidence,
    draft: of('draft') as Draft,
    review: of('review') as Review,
  };
}

describe('the prompts of a research', () => {
  it.each(['zh', 'en'] as const)('S5-20 are the bytes of the golden files, in %s', async (language) => {
    const { request, evidence, draft, review } = await rejected(QUERIES[language]);
    const common = { request, evidence, asked: ['電價 公告'], maySearch: true };
    const rule = options.read(options.defaults).modes.monitor;
    const questions: Record<string, Question<unknown>> = {
      research: analystQuestion({ ...common, before: null }, shippedPrompts),
      revise: analystQuestion({ ...common, before: { draft, review }, maySearch: false }, shippedPrompts),
      critic: criticQuestion(
        { request, evidence, draft: DRAFT, findings: review.findings, before: review },
        shippedPrompts,
      ),
      clarification: clarificationQuestion(request, shippedPrompts),
      writer: writerQuestion({ request, evidence, draft: DRAFT, review, rule }, shippedPrompts),
    };
    for (const [role, question] of Object.entries(questions)) {
      const { messages } = requestOf(question, MARK);
      const bytes = messages.map(({ role: from, content }) => `--- ${from}\n${content}\n`).join('\n');
      expect(bytes).toBe(goldenFile(new URL(`./__golden__/${role}-${language}.txt`, import.meta.url), bytes));
    }
  });
});
