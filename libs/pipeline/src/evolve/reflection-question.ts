import { z, type JsonObject, type Question, type Reflection } from '@casefile/contracts';
import { readObject } from '../answers/read-object.js';
import { markHidden } from '../language/without-disguises.js';
import { fencedText } from '../fence.js';

import { firstCodePoints, inLine, plainText } from '../plain-text.js';
import { definePrompt, LONGEST_PROMPT, type PromptTexts } from '../prompts/prompt.js';
import { markRetry, schemaText } from '../prompts/sections.js';

/** Prompt by which a model improves the text of another prompt. It cannot be evolved. */
export const reflectPrompt = definePrompt({
  id: 'evolution/reflect@1',
  file: new URL('../prompts/evolution/reflect@1.md', import.meta.url),
  sections: {
    system: [],
    text: ['text'],
    case: ['number', 'score', 'input', 'answer', 'expected', 'problems'],
    tried: ['reason', 'added'],
    task: ['schema'],
    retry: ['answer', 'problem'],
  },
});

/** Code points of each part of a case, and of a change that was dropped. */
const INPUT_SHOWN = 2_000;
const ANSWER_SHOWN = 1_500;
const TRIED_SHOWN = 600;
/** Dropped changes that are shown. */
const MOST_TRIED = 6;
const MOST_OUTPUT_TOKENS = 8_000;
/** Characters of a token, counted low, so that the answer has room for the whole text. */
const CHARACTERS_PER_TOKEN = 3;

const answerSchema = z.object({
  reason: z.string().catch(''),
  text: z.string({ error: 'expected the whole changed text' }).trim().min(1).max(LONGEST_PROMPT),
});

const SCHEMA: JsonObject = {
  type: 'object',
  additionalProperties: false,
  required: ['reason', 'text'],
  properties: {
    reason: { type: 'string', description: 'What was wrong, and what was changed' },
    text: { type: 'string', description: 'The whole changed text, with all its sections' },
  },
};

/** A text that a model proposed, with its reason. */
export interface ProposedText {
  reason: string;
  text: string;
}

/** Returns the question for another text of a prompt. Texts and cases are fenced: strangers wrote parts of them. */
export function reflectionQuestion(
  { text: parent, cases, tried }: Reflection,
  prompts: PromptTexts,
): Question<ProposedText> {
  const text = prompts.of(reflectPrompt);
  const cut = (value: string, most: number, mark: string) =>
    fencedText(markHidden(firstCodePoints(plainText(value), most)), mark);
  return {
    id: text.id,
    kind: 'answer',
    level: 'high',
    system: text.render({ system: {} }),
    render: (mark, wrong) =>
      text.render({
        text: { text: fencedText(parent, mark) },
        case: cases.map(({ input, answer, expected, score, problems }, i) => ({
          number: String(i + 1),
          score,
          input: cut(input, INPUT_SHOWN, mark),
          answer: cut(answer, ANSWER_SHOWN, mark),
          expected: cut(expected, ANSWER_SHOWN, mark),
          problems: cut(problems.length === 0 ? 'none' : problems.join('\n'), ANSWER_SHOWN, mark),
        })),
        tried: tried.slice(-MOST_TRIED).map(({ added, reason }) => ({
          reason: inLine(reason, 200),
          added: cut(added, TRIED_SHOWN, mark),
        })),
        task: { schema: schemaText(SCHEMA) },
        retry: markRetry(mark, wrong),
      }),
    answer: { name: 'changed_prompt', schema: SCHEMA },
    maxOutputTokens: Math.min(
      MOST_OUTPUT_TOKENS,
      1_000 + Math.ceil(parent.length / CHARACTERS_PER_TOKEN) * 2,
    ),
    read: (content) => readObject(answerSchema, content),
  };
}
