import { z, type Question, type ReadAnswer } from '@casefile/contracts';
import { markHidden } from '../language/without-disguises.js';
import { readObject } from '../answers/read-object.js';
import { firstCodePoints, inLine } from '../plain-text.js';
import { fencedText } from '../fence.js';
import { definePrompt, type PromptTexts } from './prompt.js';

/** The prompt by which a model writes summaries of sections of a policy. */
export const summariseSectionsPrompt = definePrompt({
  id: 'policy/summarise@1',
  file: new URL('./policy/summarise@1.md', import.meta.url),
  sections: { system: [], document: ['document'], section: ['id', 'text'], task: [] },
});

/** Code points of a section's text: the beginning shows its subject, and the model would guess the rest. */
const TEXT_SHOWN = 4_000;
const SUMMARY_LENGTH = 300;
/** Output tokens for each section, and for a model that thinks first. */
const OUTPUT_TOKENS = { each: 100, more: 700 };

export interface SectionToSummarise {
  nodeId: string;
  title: string;
  text: string;
}

const answerSchema = z.object({
  summaries: z.array(z.object({ nodeId: z.string(), summary: z.string() })),
});
const ANSWER: Question<unknown>['answer'] = {
  name: 'summaries',
  schema: {
    type: 'object',
    additionalProperties: false,
    required: ['summaries'],
    properties: {
      summaries: {
        type: 'array',
        items: {
          type: 'object',
          additionalProperties: false,
          required: ['nodeId', 'summary'],
          properties: { nodeId: { type: 'string' }, summary: { type: 'string' } },
        },
      },
    },
  },
};

/** Builds the question for summaries of a few sections, one per line. */
export function summariseSections(
  title: string,
  sections: readonly SectionToSummarise[],
  prompts: PromptTexts,
): Question<{ nodeId: string; summary: string }[]> {
  const text = prompts.of(summariseSectionsPrompt);
  return {
    id: text.id,
    kind: 'write',
    level: 'high',
    system: text.render({ system: {} }),
    render: (mark) =>
      text.render({
        document: { document: fencedText(markHidden(inLine(title)), mark) },
        section: sections.map((one) => sectionShown(one, mark)),
        task: {},
      }),
    answer: ANSWER,
    maxOutputTokens: OUTPUT_TOKENS.more + OUTPUT_TOKENS.each * sections.length,
    read: (content) => readSummaries(content, sections),
  };
}

function sectionShown({ nodeId, title, text }: SectionToSummarise, mark: string) {
  const shown = `${markHidden(inLine(title))}\n${markHidden(firstCodePoints(text, TEXT_SHOWN))}`;
  return { id: inLine(nodeId, 64), text: fencedText(shown, mark) };
}

// Of each requested section the first summary counts. At least one is required.
function readSummaries(
  content: string,
  sections: readonly { nodeId: string }[],
): ReadAnswer<{ nodeId: string; summary: string }[]> {
  const read = readObject(answerSchema, content);
  const ids = new Set(sections.map(({ nodeId }) => nodeId));
  const summaries = 'value' in read ? read.value.summaries : [];
  const value = summaries
    .map(({ nodeId, summary }) => ({ nodeId, summary: inLine(summary, SUMMARY_LENGTH) }))
    .filter(({ nodeId, summary }) => summary !== '' && ids.delete(nodeId));
  return value.length > 0
    ? { value }
    : { problem: 'the answer has no summary of a section that was asked about' };
}
