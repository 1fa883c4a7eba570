import { z, type Draft, type Evidence, type Question, type Review } from '@casefile/contracts';
import { readObject } from '@casefile/pipeline/answers/read-object';
import { fencedText } from '@casefile/pipeline/fence';
import { inLine } from '@casefile/pipeline/plain-text';
import { type PromptTexts } from '@casefile/pipeline/prompts/prompt';
import { draftIn, sourcesIn } from '../result.js';
import type { ResearchRequest } from '../read-input.js';
import { descriptionList, propertyObject, descriptionText } from './ask-role.js';
import { PROMPTS } from './prompts.js';
import { modeInWords, shownDraft, shownReview, shownSources } from './show.js';
import { markRetry, schemaText } from '@casefile/pipeline/ask';

const MOST_QUERIES = 3;
const MAX_OUTPUT_TOKENS = 4_000;

const said = z.string({ error: 'expected a text' });
const queries = z
  .array(said)
  .nullish()
  .transform((list) =>
    [...new Set((list ?? []).map((one) => inLine(one, 200)).filter((one) => one !== ''))].slice(
      0,
      MOST_QUERIES,
    ),
  );
const analystSchema = z.object({
  status: z.enum(['SEARCH_REQUIRED', 'DRAFT_READY'], { error: 'expected SEARCH_REQUIRED or DRAFT_READY' }),
  newQueries: queries,
  draft: said.nullish().transform((text) => (text ?? '').trim()),
  reasoningChain: said.nullish().transform((text) => (text ?? '').trim()),
});
export type AnalystAnswer = z.output<typeof analystSchema>;

const SCHEMA = propertyObject({
  status: { type: 'string', enum: ['SEARCH_REQUIRED', 'DRAFT_READY'] },
  newQueries: descriptionList('At most three; none with DRAFT_READY'),
  draft: descriptionText('Markdown with ids such as [E3]; empty with SEARCH_REQUIRED'),
  reasoningChain: descriptionText('How the sources were weighed'),
});

/** Input of the analyst. */
export interface AnalystInput {
  request: ResearchRequest;
  evidence: Evidence;
  /** The rejected draft to revise and its review; null: this is the first draft. */
  before: { draft: Draft; review: Review } | null;
  asked: readonly string[];
  maySearch: boolean;
}

/** Builds the question for a draft or for searches: `research`, or `revise` if a draft was rejected. */
export function analystQuestion(input: AnalystInput, prompts: PromptTexts): Question<AnalystAnswer> {
  const { request, evidence, before, asked, maySearch } = input;
  const { language } = request;
  const sources = shownSources(sourcesIn(evidence));
  const leftOut = evidence.leftOut?.length ?? 0;
  const text =
    before === null ? prompts.of(PROMPTS.research[language]) : prompts.of(PROMPTS.revise[language]);
  const common = (mark: string) => ({
    query: { query: fencedText(request.query, mark) },
    mode: { mode: modeInWords(request) },
    period:
      request.from === null && request.to === null
        ? []
        : { period: fencedText(`${request.from ?? '…'} – ${request.to ?? '…'}`, mark) },
    sources: { sources: fencedText(sources, mark) },
    'left-out': leftOut === 0 ? [] : { count: String(leftOut) },
    asked: asked.length === 0 ? [] : { asked: fencedText(asked.join('\n'), mark) },
    'no-search': maySearch ? [] : {},
    task: { schema: schemaText(SCHEMA) },
  });
  return {
    id: text.id,
    kind: 'answer',
    level: 'high',
    system: text.render({ system: {} }),
    render: (mark, wrong) => {
      const retry = markRetry(mark, wrong);
      if (before === null) return prompts.of(PROMPTS.research[language]).render({ ...common(mark), retry });
      return prompts.of(PROMPTS.revise[language]).render({
        ...common(mark),
        draft: { draft: fencedText(shownDraft(draftIn(before.draft).draft), mark) },
        review: { review: fencedText(shownReview(before.review), mark) },
        retry,
      });
    },
    answer: { name: 'research_draft', schema: SCHEMA },
    maxOutputTokens: MAX_OUTPUT_TOKENS,
    read: (content) => {
      const read = readObject(analystSchema, content);
      if (!('value' in read)) return read;
      const { status, draft, newQueries } = read.value;
      if (status === 'DRAFT_READY' && draft === '')
        return { problem: 'draft: expected the draft, for status is DRAFT_READY' };
      if (status === 'SEARCH_REQUIRED' && !maySearch && draft === '')
        return { problem: 'status: expected DRAFT_READY with a draft, for no further search is possible' };
      if (status === 'SEARCH_REQUIRED' && newQueries.length === 0 && draft === '')
        return { problem: 'newQueries: expected at least one query, for status is SEARCH_REQUIRED' };
      return read;
    },
  };
}
