import { z } from 'zod';
import { actBySchema, actIdSchema, actReasonSchema } from './act.js';
import { personal, withheldSchema } from './access/field-class.js';
import { verdictSchema } from './artifacts/index.js';
import { jsonObjectSchema } from './json.js';
import { REVIEW_ACTS, REVIEW_STATES } from './reviews/review-acts.js';
import { instantSchema } from './times.js';

/** Largest number of cases of one bulk request. */
export const MOST_BULK_REVIEWS = 1_000;

const about = {
  by: actBySchema,
  actId: actIdSchema,
  runId: z
    .string()
    .max(100)
    .optional()
    .describe('The run whose verdict the person saw. 409 if the case has a newer verdict. Default: any.'),
};
const note = z.string().max(2_000).optional();

/** Field of answers of searches by words. */
export const searchableTo = z
  .string()
  .nullable()
  .describe(
    'Alerts and reports from this time on are not found by words yet. null: all are, or `q` is not set.',
  );

const PART = /^(?:verdict|evidence|reasoning|citation \S{1,100}|unit \S{1,200})$/;
const part = z
  .string()
  .regex(PART, 'expected verdict, evidence, reasoning, citation ID or unit NAME')
  .optional()
  .describe('What was wrong: `verdict`, `evidence`, `reasoning`, `citation E3` or `unit NAME`.');

/** Body of `POST /reviews/{id}/answer`. */
export const answerReviewSchema = z
  .strictObject({
    agree: z
      .literal(true)
      .optional()
      .describe('The verdict of the run is right. Refused if it asks for an answer (409 `needs_an_answer`).'),
    outcome: jsonObjectSchema
      .optional()
      .describe('The deciding fields as they should have been, in the words of the kind.'),
    part,
    note,
    override: z
      .literal(true)
      .optional()
      .describe(
        'Accept an answer that contradicts the record of the run (409 `contradicts_record`). Receivers see it.',
      ),
    ...about,
  })
  .refine(({ outcome, agree }) => (outcome === undefined) !== (agree === undefined), {
    error: 'expected either outcome or agree',
    path: ['outcome'],
  });

/** Bodies of the other acts on a review. */
export const acknowledgeReviewSchema = z.strictObject({ note, ...about });
export const skipReviewSchema = z.strictObject({ reason: actReasonSchema, ...about });
export const assignReviewSchema = z.strictObject({
  to: z.string().trim().min(1).max(200).nullable().describe('The person; null: no certain person.'),
  note,
  ...about,
});
export const snoozeReviewSchema = z.strictObject({ until: instantSchema, note, ...about });
export const commentReviewSchema = z.strictObject({ note: actReasonSchema, ...about });
export const undoReviewSchema = z.strictObject({
  undoes: z
    .string()
    .max(100)
    .optional()
    .describe("`actId` of one of the person's acts. Default: the newest act."),
  note,
  ...about,
});
export const openReviewSchema = z.strictObject({ by: about.by });

/** Body of `POST /reviews/bulk`. */
export const bulkReviewSchema = z
  .strictObject({
    ids: z.array(z.string().max(100)).min(1).max(MOST_BULK_REVIEWS).describe('Ids of cases.'),
    agree: z.literal(true).optional(),
    outcome: jsonObjectSchema.optional(),
    undoes: z
      .string()
      .min(1)
      .max(100)
      .optional()
      .describe('`actId` of an earlier bulk request by the same person, whose answers are taken back.'),
    note,
    dryRun: z.boolean().default(false).describe('Only return what would be done.'),
    by: about.by,
    actId: about.actId,
  })
  .refine((body) => [body.outcome, body.agree, body.undoes].filter((one) => one !== undefined).length === 1, {
    error: 'expected either outcome, agree or undoes',
    path: ['outcome'],
  });

const reviewActSchema = z.object({
  actId: z.string(),
  act: z.enum(REVIEW_ACTS),
  runId: z.string(),
  by: z.string(),
  at: z.string(),
  foundAt: z.string().nullable().optional().describe('When it was found, as its sender reported.'),
  note: personal(z.string().nullable()),
  outcome: personal(jsonObjectSchema, { codes: true }).nullable(),
  part: z.string().nullable(),
  assignee: z.string().nullable(),
  until: z.string().nullable(),
  undoes: z.string().nullable(),
  bulk: z.boolean().describe('Whether it was done for many cases in one request.'),
  event: z.string().nullable().describe('Event of another system that led to it, such as `chargeback`.'),
});

/** A case on the review desk, in lists. Its id is that of the case. */
export const listedReviewSchema = z.object({
  id: z.string(),
  caseId: z.string(),
  runId: z.string(),
  playbook: z.string(),
  text: personal(z.string()).describe(
    'Names the newest alert, by the line that its kind declares. Empty: nothing in it names it.',
  ),
  alertCount: z.int(),
  since: z.string().describe('When the verdict was decided.'),
  state: z.enum(REVIEW_STATES),
  assignee: z.string().nullable(),
  snoozedUntil: z.string().nullable(),
  word: z.string().describe('The verdict in the words of its reader.'),
  headline: personal(z.string()).describe('The first reason of the verdict.'),
  confidence: z.number(),
  confidenceApplies: z.boolean().describe('As in the presentation of a run.'),
  method: verdictSchema.shape.method,
  degraded: z.boolean(),
  asks: z.boolean().describe('Whether the verdict asks for an answer, so that `agree` is refused.'),
});
export type ListedReview = z.infer<typeof listedReviewSchema>;

/** `GET /reviews`. */
export const reviewListSchema = z.object({
  withheld: withheldSchema,
  reviews: z.array(listedReviewSchema),
  nextCursor: z.string().nullable().describe('For the next page; null on the last one.'),
  searchableTo,
  waiting: z
    .array(
      z.object({
        playbook: z.string(),
        count: z.int(),
        overdue: z.int().describe('Those that wait for longer than `reviews.answerWithinHours`.'),
        oldest: z.string(),
      }),
    )
    .describe('Verdicts that wait, per kind of case, with the time of the oldest one.'),
});
export type ReviewList = z.infer<typeof reviewListSchema>;

/** `GET /reviews/{id}`, and the answer of every act. */
export const shownReviewSchema = listedReviewSchema.extend({
  withheld: withheldSchema,
  answers: z.array(reviewActSchema).describe('The newest answer of each person on this verdict.'),
  history: z.array(reviewActSchema).describe('Everything that people did, oldest first.'),
  verdict: verdictSchema.describe('The verdict that stands.'),
  correction: z
    .object({
      deliveryId: z.string(),
      dueAt: z
        .string()
        .nullable()
        .describe('When it leaves; null: the verdict of the run did not leave either.'),
      sentAt: z.string().nullable(),
    })
    .nullable()
    .describe('Delivery of the verdict that stands; null: the verdict of the run stands.'),
  viewers: z.array(z.string()).describe('People who have had the case open within the last minute.'),
});
export type ShownReview = z.infer<typeof shownReviewSchema>;

/** `POST /reviews/bulk`. */
export const bulkReviewedSchema = z.object({
  dryRun: z.boolean(),
  done: z.int().describe('Cases that were answered, or would be.'),
  refused: z.int(),
  results: z.array(
    z.object({
      id: z.string(),
      playbook: z.string().nullable(),
      word: z.string().nullable().describe('The verdict before the act.'),
      becomes: z.string().nullable().describe('The verdict after the act.'),
      problem: z.string().nullable().describe('Why the case was refused; null: it was not.'),
    }),
  ),
});
export type BulkReviewed = z.infer<typeof bulkReviewedSchema>;
