import { z } from 'zod';
import { actIdSchema } from './act.js';
import { personal, withheldSchema } from './access/field-class.js';
import { jsonObjectSchema } from './json.js';
import { problemSchema } from './ops-api.js';
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
    override: z
      .literal(true)
      .optional()
      .describe(
        'Accept an answer that contradicts the record of the run (409 `contradicts_record`). Receivers see it.',
      ),
    at: instantSchema.optional().describe('When it was found. Default: now.'),
    actId: actIdSchema,
  })
  .refine(({ outcome, agree }) => (outcome === undefined) !== (agree === undefined), {
    error: 'expected either outcome or agree',
    path: ['outcome'],
  });
export type GiveFeedback = z.infer<typeof giveFeedbackSchema>;

/** Most reports of feedback in one request. */
export const MOST_REPORTS = 500;

const name = z.string().trim().min(1).max(200);

/** Feedback of another system: `POST /v1/feedback` at ingest, and data of a job of the queue `feedback`. */
export const reportedFeedbackSchema = z
  .object({
    caseId: name.optional().describe('The case, as the intake answered it.'),
    idempotencyKey: name
      .max(255)
      .optional()
      .describe('The `Idempotency-Key` of the alert, instead of `caseId`.'),
    deliveryId: name.optional().describe('The `deliveryId` of the verdict, instead of `caseId`.'),
    event: name.describe('What happened: `chargeback`, `appeal`, `closed_as_false_alarm` or your own word.'),
    outcome: jsonObjectSchema.describe(
      'The deciding fields as they should have been, in the words of the kind.',
    ),
    by: name.describe('The system or the person that reports it.'),
    at: instantSchema
      .optional()
      .describe('When it was found. The latest finding stands, in whatever order they arrive. Default: now.'),
    note: z.string().max(2_000).optional(),
  })
  .refine(
    ({ caseId, idempotencyKey, deliveryId }) =>
      [caseId, idempotencyKey, deliveryId].filter((one) => one !== undefined).length === 1,
    { error: 'expected one of caseId, idempotencyKey and deliveryId', path: ['caseId'] },
  );
export type ReportedFeedback = z.infer<typeof reportedFeedbackSchema>;

/** The case of feedback: one of the three. */
export type CaseReference = Pick<ReportedFeedback, 'caseId' | 'idempotencyKey' | 'deliveryId'>;

/** Response to one report of feedback. */
export const recordedFeedbackSchema = z.object({
  caseId: z.string(),
  runId: z.string().describe('The run whose verdict it is about.'),
  agrees: z.boolean().describe('Whether it agrees with that verdict.'),
  repeated: z.boolean().describe('Whether the same report had arrived before, so that nothing changed.'),
});
export type RecordedFeedback = z.infer<typeof recordedFeedbackSchema>;

/** Response to an array of reports, by position. */
export const recordedReportsSchema = z.object({
  results: z.array(
    z.union([
      recordedFeedbackSchema.extend({ index: z.int() }),
      z.object({ index: z.int(), problem: problemSchema }),
    ]),
  ),
});
export type RecordedReports = z.infer<typeof recordedReportsSchema>;

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
  outcome: personal(jsonObjectSchema, { codes: true }).describe(
    'The deciding fields as they should have been.',
  ),
  by: z.string(),
  note: personal(z.string().nullable()),
  at: z.string(),
});
export type Feedback = z.infer<typeof feedbackSchema>;

/** `GET /cases/{caseId}/feedback`. */
export const feedbackListSchema = z.object({
  withheld: withheldSchema,
  feedback: z.array(feedbackSchema).describe('The newest first, one per person and run.'),
  nextCursor: z.string().nullable().describe('For the next page; null on the last one.'),
});
export type FeedbackList = z.infer<typeof feedbackListSchema>;

/** Limits per case: labels in force, and labels given within a minute. */
export const MOST_FEEDBACK = { perCase: 100, perMinute: 10 } as const;

/** Cases whose answers changed. */
export interface LabelChanges {
  /** Number of events that were read; fewer than the limit: there are no more for now. */
  read: number;
  /** Position after the last event; null: there was no event. */
  place: { xid: string; eventId: string } | null;
  caseIds: string[];
}

/** Labels: people's feedback on verdicts. A person has one label per run. */
export interface FeedbackBook {
  /**
   * Records a label once under its id. It replaces an earlier label of the same person for the same run. The
   * event `feedback.given` contains the label and names the replaced one.
   * @throws CasefileError `too_many` if the case has reached `MOST_FEEDBACK`.
   */
  give(feedback: Feedback): Promise<void>;
  /**
   * Returns the cases of the next events that changed an answer. Returns the same ones until `readChanges` is
   * called.
   */
  changes(limit: number): Promise<LabelChanges>;
  /** Stores that the changes up to this position were processed. */
  readChanges(place: NonNullable<LabelChanges['place']>): Promise<void>;
  /** Returns the id of the case that another system names; null: there is none. */
  caseOf(reference: CaseReference): Promise<string | null>;
  /**
   * Removes a label of a case, with the event `feedback.withdrawn`, and returns it. null: the case has no
   * such label.
   */
  withdraw(caseId: string, id: string): Promise<Feedback | null>;
  /**
   * Returns a page of the labels of a case, newest first. null: there is no such case.
   * @throws InvalidInput for a cursor that this store did not create.
   */
  find(query: { caseId: string; cursor?: string; limit: number }): Promise<FeedbackList | null>;
}
