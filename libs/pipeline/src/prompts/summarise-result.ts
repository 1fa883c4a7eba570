import { STORED_PAGE, z, type JsonObject, type Question } from '@casefile/contracts';
import { markHidden } from '../language/without-disguises.js';
import { fencedText } from '../fence.js';
import { readObject } from '../answers/read-object.js';
import { firstCodePoints, inLine, plainText } from '../plain-text.js';
import { definePrompt, type PromptTexts } from './prompt.js';

/** Prompt by which a model summarises a long tool result. */
export const summariseResultPrompt = definePrompt({
  id: 'tool-result/summarise@1',
  file: new URL('./tool-result/summarise@1.md', import.meta.url),
  sections: {
    system: [],
    call: ['tool', 'args'],
    page: ['number', 'pages', 'text'],
    'left-out': ['from', 'to'],
    task: [],
  },
});

/** Pages shown from the beginning and from the end: about 24,000 tokens. Pages between are left out. */
const FIRST_PAGES = 8;
const LAST_PAGES = 4;
const ARGS_SHOWN = 500;
const SUMMARY_SHOWN = 2_000;
const MAX_OUTPUT_TOKENS = 1_000;

const answerSchema = z.object({ summary: z.string().trim().min(1) });
const ANSWER: Question<unknown>['answer'] = {
  name: 'summary',
  schema: {
    type: 'object',
    additionalProperties: false,
    required: ['summary'],
    properties: { summary: { type: 'string' } },
  },
};

export interface LongResult {
  tool: string;
  args: JsonObject;
  /** The whole text. */
  text: string;
}

/**
 * Builds the question for a summary of a long tool result with page numbers. The cheaper model answers it.
 */
export function summariseResult(
  { tool, args, text: whole }: LongResult,
  prompts: PromptTexts,
): Question<string> {
  const text = prompts.of(summariseResultPrompt);
  const pages = Math.ceil(whole.length / STORED_PAGE);
  const isCut = pages > FIRST_PAGES + LAST_PAGES;
  const page = (mark: string) => (number: number) => ({
    number: String(number),
    pages: String(pages),
    text: fencedText(
      markHidden(plainText(whole.slice((number - 1) * STORED_PAGE, number * STORED_PAGE))),
      mark,
    ),
  });
  const first = numbers(1, isCut ? FIRST_PAGES : pages);
  const last = isCut ? numbers(pages - LAST_PAGES + 1, pages) : [];
  return {
    id: text.id,
    kind: 'summary',
    level: 'low',
    system: text.render({ system: {} }),
    render: (mark) =>
      [
        text.render({
          call: { tool: inLine(tool, 100), args: fencedText(inLine(JSON.stringify(args), ARGS_SHOWN), mark) },
          page: first.map(page(mark)),
        }),
        ...(isCut
          ? [
              text.render({
                'left-out': { from: String(FIRST_PAGES + 1), to: String(pages - LAST_PAGES) },
              }),
              text.render({ page: last.map(page(mark)) }),
            ]
          : []),
        text.render({ task: {} }),
      ].join('\n\n'),
    answer: ANSWER,
    maxOutputTokens: MAX_OUTPUT_TOKENS,
    read: (content) => {
      const read = readObject(answerSchema, content);
      if ('problem' in read) return { problem: 'the answer has no summary' };
      return { value: firstCodePoints(plainText(read.value.summary), SUMMARY_SHOWN) };
    },
  };
}

function numbers(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, i) => from + i);
}
