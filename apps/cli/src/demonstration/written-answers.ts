import { readFile } from 'node:fs/promises';
import { jsonObjectSchema, parseInput, z } from '@casefile/contracts';
import { parse } from 'yaml';

const think = z.string().min(1);
const section = z.string().regex(/^\d+\.\d+$/, 'expected the number of a section, for example 4.1');

const answerSchema = z.union([
  z.strictObject({ think, answer: jsonObjectSchema }),
  /** No JSON: the question is asked again. */
  z.strictObject({ think, text: z.string() }),
]);

const citationSchema = z.union([
  z.strictObject({ section, quote: z.string() }),
  z.strictObject({
    fact: z.string(),
    value: z.union([z.string(), z.number(), z.boolean()]),
    unit: z.string().optional(),
  }),
]);
const finishSchema = z.strictObject({
  status: z.string(),
  confidence: z.number(),
  rationale: z.string(),
  citations: z.array(citationSchema),
});
const turnSchema = z.union([
  /** Tools by name with their arguments, one a line. */
  z.strictObject({ think, look: z.array(z.record(z.string(), jsonObjectSchema)).min(1) }),
  z.strictObject({ think, finish: finishSchema }),
]);

const writtenSchema = z.strictObject({
  messages: z.array(
    z.strictObject({
      /** The whole text of the sample, or the file of its image. */
      sample: z.string(),
      /** Of an image: words of what is read from it. */
      reads: z.string().optional(),
      answers: z.array(answerSchema).min(1),
    }),
  ),
  cases: z.array(
    z.strictObject({
      case: z.string(),
      criteria: z.array(z.strictObject({ criterion: z.string(), turns: z.array(turnSchema).min(1) })),
    }),
  ),
  /** Which sections a search reads is a question to the model of its own. */
  searches: z.array(z.strictObject({ query: z.string(), think, sections: z.array(section) })),
});

/** The hand-written answers to the bundled samples: see `samples/demonstration.yaml`. */
export type WrittenAnswers = z.infer<typeof writtenSchema>;
export type WrittenTurn = z.infer<typeof turnSchema>;
export type WrittenAnswer = z.infer<typeof answerSchema>;

/** @throws InvalidInput that names every wrong field. */
export async function readWrittenAnswers(folder: URL): Promise<WrittenAnswers> {
  const text = await readFile(new URL('demonstration.yaml', folder), 'utf8');
  return parseInput(writtenSchema, parse(text), 'demonstration.yaml');
}
