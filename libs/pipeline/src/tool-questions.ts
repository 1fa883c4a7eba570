import { z, type Question, type ReadAnswer, STORED_PAGE, type JsonObject } from '@casefile/contracts';
import { markHidden } from './language/without-disguises.js';
import { readObject } from './answers/read-object.js';
import { inLine, plainText, firstCodePoints } from './plain-text.js';
import { fencedText } from './fence.js';
import { definePrompt, type PromptTexts } from './prompts/prompt.js';

/** The prompt by which a model chooses sections of a policy. */
export const chooseSectionsPrompt = definePrompt({
  id: 'pi-search/choose@2',
  file: new URL('./prompts/pi-search/choose@2.md', import.meta.url),
  sections: { system: [], question: ['question'], sections: ['sections'], task: ['limit'] },
});

/** Output tokens for a list of ids. */
const CHOICE_TOKENS = 1_000;
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

const choiceSchema = z.strictObject({ nodeIds: z.array(z.string()) });
const CHOICE: Question<unknown>['answer'] = {
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
    answer: CHOICE,
    maxOutputTokens: CHOICE_TOKENS,
    read: (content) => {
      const read = readObject(choiceSchema, content);
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

/** The prompt by which a model writes summaries of sections of a policy. */
export const summariseSectionsPrompt = definePrompt({
  id: 'policy/summarise@1',
  file: new URL('./prompts/policy/summarise@1.md', import.meta.url),
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

const summariesSchema = z.object({
  summaries: z.array(z.object({ nodeId: z.string(), summary: z.string() })),
});
const SUMMARIES: Question<unknown>['answer'] = {
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
    answer: SUMMARIES,
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
  const read = readObject(summariesSchema, content);
  const ids = new Set(sections.map(({ nodeId }) => nodeId));
  const summaries = 'value' in read ? read.value.summaries : [];
  const value = summaries
    .map(({ nodeId, summary }) => ({ nodeId, summary: inLine(summary, SUMMARY_LENGTH) }))
    .filter(({ nodeId, summary }) => summary !== '' && ids.delete(nodeId));
  return value.length > 0
    ? { value }
    : { problem: 'the answer has no summary of a section that was asked about' };
}

/** Prompt by which a model summarises a long tool result. */
export const summariseResultPrompt = definePrompt({
  id: 'tool-result/summarise@1',
  file: new URL('./prompts/tool-result/summarise@1.md', import.meta.url),
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
const SUMMARY_TOKENS = 1_000;

const summarySchema = z.object({ summary: z.string().trim().min(1) });
const SUMMARY: Question<unknown>['answer'] = {
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
    answer: SUMMARY,
    maxOutputTokens: SUMMARY_TOKENS,
    read: (content) => {
      const read = readObject(summarySchema, content);
      if ('problem' in read) return { problem: 'the answer has no summary' };
      return { value: firstCodePoints(plainText(read.value.summary), SUMMARY_SHOWN) };
    },
  };
}

function numbers(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, i) => from + i);
}
