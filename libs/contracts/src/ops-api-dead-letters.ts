import { z } from 'zod';
import { withheldSchema } from './access/field-class.js';
import { deadLetterSchema, type DeadLetter } from './dead-letter.js';
import { reasonInWords } from './errors/reason-codes.js';
import { jsonObjectSchema } from './json.js';
import { problemSchema } from './ops-api.js';
import { deadLetterCountSchema, type DeadLetterFilter } from './ports/dead-letters.js';

/** A dead letter with its title for display. */
export const shownDeadLetterSchema = deadLetterSchema.extend({
  withheld: withheldSchema,
  title: z.string().describe('A sentence: what happened, and why.'),
});
export type ShownDeadLetter = z.infer<typeof shownDeadLetterSchema>;

const DEAD_LETTER_TITLES: Record<DeadLetter['kind'], string> = {
  alert: 'The alert was not accepted',
  run: 'The run stopped and needs a person',
  delivery: 'The verdict was not delivered',
  feedback: 'The feedback was not recorded',
};

/** Returns the dead letter with its title. */
export function shownDeadLetter(letter: DeadLetter): ShownDeadLetter {
  const title = `${DEAD_LETTER_TITLES[letter.kind]}: ${reasonInWords(letter.reasonCode)}.`;
  return { ...letter, title };
}

/** `GET /dead-letters`. */
export const deadLetterListSchema = z.object({
  withheld: withheldSchema,
  deadLetters: z.array(shownDeadLetterSchema),
  nextCursor: z.string().nullable().describe('For the next page; null on the last one.'),
  reasons: z
    .array(deadLetterCountSchema)
    .describe('Of all that match the other filters, whatever the `reason` and the page; most first.'),
});
export type DeadLetterList = z.infer<typeof deadLetterListSchema>;

/** `POST /dead-letters/redrive` and `/drop`: one result per dead letter. */
export const deadLetterResultsSchema = z.object({
  results: z.array(
    z.union([
      deadLetterSchema.pick({ id: true, kind: true, caseId: true }),
      z.object({ id: z.string(), problem: problemSchema }),
    ]),
  ),
});
export type DeadLetterResults = z.infer<typeof deadLetterResultsSchema>;

/** `POST /dead-letters/{letterId}/redrive`. */
export const redriveDeadLetterSchema = z.strictObject({
  alert: jsonObjectSchema
    .optional()
    .describe('The edited alert, which replaces the rejected one. The original is kept.'),
  by: z.string().min(1).max(200).optional().describe('Who edited the alert. Default: `console`.'),
});
export type RedriveDeadLetter = z.infer<typeof redriveDeadLetterSchema>;

/** Response of `POST /dead-letters/{letterId}/redrive`. */
export const redrivenDeadLetterSchema = deadLetterSchema.pick({ id: true, kind: true, caseId: true });
export type RedrivenDeadLetter = z.infer<typeof redrivenDeadLetterSchema>;

/** `POST /dead-letters/redrive`: exactly one of the three fields. */
export interface RedriveRequest {
  ids?: string[];
  /** All dead letters that match these filters. */
  filter?: DeadLetterFilter;
  all?: true;
}
