import { readFile } from 'node:fs/promises';
import { jsonObjectSchema, parseInput, z, type JsonObject } from '@casefile/contracts';
import type { Question } from '@casefile/llm-simulator/question';
import { parse } from 'yaml';
import { ANSWERS_OF_KINDS } from '../kinds/demonstrations.js';
import type { PlayedAnswer } from './played.js';

const think = z.string().min(1);

const answerSchema = z.union([
  z.strictObject({ think, answer: jsonObjectSchema }),
  /** An answer that is not JSON, after which the question is asked again. */
  z.strictObject({ think, text: z.string() }),
]);

const messagesSchema = z.array(
  z.strictObject({
    /** Whole text of the sample, or the file name of its image. */
    sample: z.string(),
    /** For an image: some of the words that are read from it. */
    reads: z.string().optional(),
    answers: z.array(answerSchema).min(1),
  }),
);
const writtenSchema = z.strictObject({
  messages: messagesSchema,
  ...(Object.assign({}, ...ANSWERS_OF_KINDS.map(({ shape }) => shape)) as z.ZodRawShape),
});

/** The hand-written answers to the bundled samples: see `samples/demonstration.yaml`. */
export interface WrittenAnswers {
  messages: z.infer<typeof messagesSchema>;
  /** Answers per kind of case. They are tried before `messages`. */
  players: ((question: Question) => PlayedAnswer | null)[];
}
export type WrittenAnswer = z.infer<typeof answerSchema>;

/** @throws InvalidInput that names every wrong field. */
export async function readWrittenAnswers(folder: URL): Promise<WrittenAnswers> {
  const text = await readFile(new URL('demonstration.yaml', folder), 'utf8');
  const file = parseInput(writtenSchema, parse(text), 'demonstration.yaml');
  return {
    messages: messagesSchema.parse(file['messages']),
    players: ANSWERS_OF_KINDS.map(({ player }) => player(file as JsonObject)),
  };
}
