import { CONFIDENCE_LEVELS, z, type Evidence, type Question, type Review } from '@casefile/contracts';
import { readObject } from '@casefile/pipeline/answers/read-object';
import { fencedText } from '@casefile/pipeline/fence';
import { type PromptTexts } from '@casefile/pipeline/prompts/prompt';
import type { ModeRule } from '../options.js';
import type { ResearchRequest } from '../read-input.js';
import { sourcesIn } from '../result.js';
import { descriptionList, propertyObject, descriptionText } from './ask-role.js';
import { PROMPTS } from './prompts.js';
import { modeInWords, shownDraft, shownReview, shownSources } from './show.js';
import { markRetry, schemaText } from '@casefile/pipeline/ask';

const MAX_OUTPUT_TOKENS = 4_000;

const writerSchema = z.object({
  finalReport: z
    .string({ error: 'expected the report' })
    .trim()
    .min(1, { error: 'expected a report that is not empty' }),
  sourcesUsed: z
    .array(z.string())
    .nullish()
    .transform((list) => list ?? []),
  /** null: the model stated no known level. */
  confidenceLevel: z
    .string()
    .nullish()
    .transform(
      (said) =>
        CONFIDENCE_LEVELS.find((level) => level.toLowerCase() === (said ?? '').trim().toLowerCase()) ?? null,
    ),
});
export type WriterAnswer = z.output<typeof writerSchema>;

const SCHEMA = propertyObject({
  finalReport: descriptionText('Markdown with ids such as [E3]'),
  sourcesUsed: descriptionList('Ids that the report cites'),
  confidenceLevel: { type: 'string', enum: [...CONFIDENCE_LEVELS] },
});

/** Builds the question for the report for people. */
export function writerQuestion(
  input: { request: ResearchRequest; evidence: Evidence; draft: string; review: Review; rule: ModeRule },
  prompts: PromptTexts,
): Question<WriterAnswer> {
  const { request, evidence, draft, review, rule } = input;
  const text = prompts.of(PROMPTS.writer[request.language]);
  const sources = shownSources(sourcesIn(evidence));
  const [first, second] = rule.compareTiers ?? [];
  return {
    id: text.id,
    kind: 'write',
    level: 'low',
    system: text.render({ system: {} }),
    render: (mark, wrong) =>
      text.render({
        query: { query: fencedText(request.query, mark) },
        mode: { mode: modeInWords(request) },
        compare:
          first === undefined || second === undefined ? [] : { first: String(first), second: String(second) },
        draft: { draft: fencedText(shownDraft(draft), mark) },
        review: { review: fencedText(shownReview(review), mark) },
        sources: { sources: fencedText(sources, mark) },
        task: { schema: schemaText(SCHEMA) },
        retry: markRetry(mark, wrong),
      }),
    answer: { name: 'research_report', schema: SCHEMA },
    maxOutputTokens: MAX_OUTPUT_TOKENS,
    read: (content) => readObject(writerSchema, content),
  };
}
