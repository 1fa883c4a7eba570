import type { Draft, Evidence, JsonObject, ModelRequest, Question, Review } from '@casefile/contracts';
import { questionRequest } from '@casefile/pipeline/ask';
import { aRunSettings, goldenFile } from '@casefile/contracts/testing';
import { examinationQuestion } from '@casefile/pipeline/parts/examination-question';
import type { Matter } from '@casefile/pipeline/parts/examined-matter';
import type { ReviewInput } from '@casefile/pipeline/stage-parts';
import { analyst, critic, discovery, GOOD, ITEMS, QUERY, writer } from './testing/research-builders.js';
import { playResearch } from './testing/research-world.js';
import { shippedPrompts } from '@casefile/pipeline/testing/shipped-prompts';
import { examination } from './examine.js';
import { research } from './playbook.js';
import { analystQuestion } from './model/analyst.js';
import { clarificationQuestion } from './model/clarification.js';
import { criticQuestion } from './model/critic.js';
import { writerQuestion } from './model/writer.js';
import { PROMPTS } from './model/prompts.js';
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
    for (const [role, question] of Object.entries(questions))
      expectGolden(`${role}-${language}`, questionRequest(question, MARK));
  });

  it.each(['zh', 'en'] as const)(
    'T-02 of its cross-examination are the bytes of the golden files, in %s',
    async (language) => {
      const question = examinationQuestion(
        await examined(QUERIES[language]),
        shippedPrompts.of(PROMPTS.examination[language]),
      );
      const wrong = { content: '{"claims":[]}', problem: 'The answer cannot be used: C1 has no answer.' };
      expectGolden(`cross-examination-${language}`, questionRequest(question, MARK));
      expectGolden(`cross-examination-retry-${language}`, questionRequest(question, MARK, wrong));
    },
  );
});

function expectGolden(name: string, { messages }: Pick<ModelRequest, 'messages'>): void {
  const bytes = messages.map(({ role, content }) => `--- ${role}\n${content}\n`).join('\n');
  expect(bytes).toBe(goldenFile(new URL(`./__golden__/${name}.txt`, import.meta.url), bytes));
}

/** What the cross-examination of a report that would pass is about. */
async function examined(query: string): Promise<Matter> {
  const answers = [analyst(GOOD), critic('PASS'), writer(GOOD)];
  const { artifacts } = await playResearch(discovery({ query }), { answers });
  const bodies = Object.fromEntries(artifacts.map(({ name, body }) => [name, body]));
  const input = { ...bodies, previous: {} } as unknown as ReviewInput;
  const settings = aRunSettings({ playbookVersion: research.version, options: options.defaults });
  const matter = examination.matter(input, bodies['review'] as unknown as Review, settings);
  if (matter === null) throw new Error('this report is not examined');
  return matter;
}
