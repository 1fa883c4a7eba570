import { z, type Question } from '@casefile/contracts';
import { markHidden } from '../language/without-disguises.js';
import { readObject } from '../answers/read-object.js';
import { inLine, plainText } from '../plain-text.js';
import { fencedText } from '../fence.js';
import { definePrompt, type PromptTexts } from './prompt.js';

/** The prompt by which a model chooses sections of a policy. */
export const chooseSectionsPrompt = definePrompt({
  id: 'pi-search/choose@2',
  file: new URL('./pi-search/choose@2.md', import.meta.url),
  sections: { system: [], question: ['question'], sections: ['sections'], task: ['limit'] },
});

/** Output tokens for a list of ids. */
const MAX_OUTPUT_TOKENS = 1_000;
const QUERY_SHOWN = 500;
const LINE_SHOWN = 400;
const INDENT = ' ';

/** The offered part of a policy's tree. */
export interface SectionsOffered {
  query: string;
  /** Offered sections in document order. `below` is the number of subsections that are not offered. */
  sections: readonly { nodeId: string; title: string; summary: string; depth: number; below: number }[];
  /** Maximum number of sections to choose. */
  limit: number;
}

const answerSchema = z.strictObject({ nodeIds: z.array(z.string()) });
const ANSWER: Question<unknown>['answer'] = {
  name: 'sections',
  schema: {
    type: 'object',
    additionalProperties: false,
    required: ['nodeIds'],
    properties: { nodeIds: { type: 'array', items: { type: 'string' } } },
  },
};

/** Builds the question which sections of a policy are relevant, the best first. */
export function chooseSections(
  { query, sections, limit }: SectionsOffered,
  prompts: PromptTexts,
): Question<string[]> {
  const text = prompts.of(chooseSectionsPrompt);
  return {
    id: text.id,
    kind: 'retrieval',
    level: 'low',
    system: text.render({ system: {} }),
    render: (mark) =>
      text.render({
        question: { question: fencedText(markHidden(inLine(query, QUERY_SHOWN)), mark) },
        sections: { sections: fencedText(sections.map(lineOf).join('\n'), mark) },
        task: { limit: String(limit) },
      }),
    answer: ANSWER,
    maxOutputTokens: MAX_OUTPUT_TOKENS,
    read: (content) => {
      const read = readObject(answerSchema, content);
      return 'value' in read
        ? { value: read.value.nodeIds }
        : { problem: 'the answer does not name sections as it was asked to' };
    },
  };
}

function lineOf({ nodeId, title, summary, depth, below }: SectionsOffered['sections'][number]): string {
  const about = summary === '' ? '' : ` - ${summary}`;
  const more = below === 0 ? '' : ` (with more below: ${below})`;
  const text = markHidden(inLine(plainText(`${title}${about}`), LINE_SHOWN));
  return `${INDENT.repeat(depth)}[${inLine(nodeId, 64)}] ${text}${more}`;
}
