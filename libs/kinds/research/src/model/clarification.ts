import { z, type Question } from '@casefile/contracts';
import { readObject } from '@casefile/pipeline/answers/read-object';
import { fencedText } from '@casefile/pipeline/fence';
import { inLine } from '@casefile/pipeline/plain-text';
import { type PromptTexts } from '@casefile/pipeline/prompts/prompt';
import type { ResearchRequest } from '../read-input.js';
import { propertyObject, descriptionText } from './ask-role.js';
import { PROMPTS } from './prompts.js';
import { markRetry, schemaText } from '@casefile/pipeline/ask';

const MAX_OUTPUT_TOKENS = 800;
const MOST_READINGS = 4;
const LONGEST = 300;
const AMBIGUITIES = ['none', 'time', 'scope', 'entity'] as const;

const line = z.string({ error: 'expected a text' }).transform((text) => inLine(text, LONGEST));
const clarificationSchema = z.object({
  ambiguityType: z.enum(AMBIGUITIES, { error: `expected one of ${AMBIGUITIES.join(', ')}` }),
  question: line.nullish().transform((text) => text ?? ''),
  options: z
    .array(z.object({ label: line, query: line }))
    .nullish()
    .transform((list) =>
      (list ?? []).filter(({ label, query }) => label !== '' && query !== '').slice(0, MOST_READINGS),
    ),
});

/** One interpretation of a question: its label for people, and the question rewritten in this sense. */
export interface QueryReading {
  label: string;
  query: string;
}

const SCHEMA = propertyObject({
  ambiguityType: { type: 'string', enum: [...AMBIGUITIES] },
  question: descriptionText('What to ask back, in one sentence; empty with none'),
  options: {
    type: 'array',
    items: propertyObject({
      label: descriptionText('A few words'),
      query: descriptionText('The whole question, asked so'),
    }),
    description: 'Two to four readings, the likeliest first; empty with none',
  },
});

/**
 * Builds the question that asks a model for the interpretations of a query. If it returns none, the query is
 * clear.
 */
export function clarificationQuestion(
  { query, language }: ResearchRequest,
  prompts: PromptTexts,
): Question<{ question: string; readings: QueryReading[] }> {
  const text = prompts.of(PROMPTS.clarification[language]);
  return {
    id: text.id,
    kind: 'answer',
    level: 'low',
    system: text.render({ system: {} }),
    render: (mark, wrong) =>
      text.render({
        query: { query: fencedText(query, mark) },
        task: { schema: schemaText(SCHEMA) },
        retry: markRetry(mark, wrong),
      }),
    answer: { name: 'research_clarification', schema: SCHEMA },
    maxOutputTokens: MAX_OUTPUT_TOKENS,
    read: (content) => {
      const read = readObject(clarificationSchema, content);
      if (!('value' in read)) return read;
      const { ambiguityType, question, options } = read.value;
      const isOpen = ambiguityType !== 'none' && question !== '' && options.length >= 2;
      return { value: { question, readings: isOpen ? options : [] } };
    },
  };
}
