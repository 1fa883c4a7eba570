import { z } from 'zod';
import { jsonObjectSchema } from './json.js';
import { instantSchema } from './times.js';

/** `POST /cases/{caseId}/feedback`. */
export const giveFeedbackSchema = z
  .strictObject({
    outcome: jsonObjectSchema
      .optional()
      .describe('The deciding fields as they should have been, in the words of the kind.'),
    agree: z
      .literal(true)
      .optional()
      .describe('The verdict is right as it is. Refused if it asks for an answer (disposition `review`).'),
    by: z.string().min(1).max(200),
    note: z.string().max(2_000).optional(),
    at: instantSchema.optional().describe('When it was found. Default: now.'),
    actId: z
      .string()
      .min(1)
      .max(100)
      .optional()
      .describe('Id of the act. A repeated request with the same id acts once. Default: a new id.'),
  })
  .refine(({ outcome, agree }) => (outcome === undefined) !== (agree === undefined), {
    error: 'expected either outcome or agree',
    path: ['outcome'],
  });
export type GiveFeedback = z.infer<typeof giveFeedbackSchema>;

/** A label: a person's feedback on a verdict. One per person and run. */
export const feedbackSchema = z.object({
  id: z.string(),
  caseId: z.string(),
  runId: z.string().describe('The run whose verdict it is about.'),
  agrees: z
    .boolean()
    .describe(
      'Whether the label agrees with the verdict; false for the answer to a verdict that asks for one.',
    ),
  outcome: jsonObjectSchema.describe('The deciding fields as they should have been.'),
  by: z.string(),
  note: z.string().nullable(),
  at: z.string(),
});
export type Feedback = z.infer<typeof feedbackSchema>;

/** `GET /cases/{caseId}/feedback`. */
export const feedbackListSchema = z.object({
  feedback: z.array(feedbackSchema).describe('The newest first, one per person and run.'),
  nextCursor: z.string().nullable().describe('For the next page; null on the last one.'),
});
export type FeedbackList = z.infer<typeof feedbackListSchema>;
