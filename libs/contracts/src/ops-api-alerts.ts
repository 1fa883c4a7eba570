import { z } from 'zod';
import { chosenBySchema, verdictSchema } from './artifacts/index.js';
import { problemSchema } from './ops-api.js';

/** `POST /alerts`, here and at the intake. */
export const acceptedAlertSchema = z.object({
  alertId: z.string(),
  caseId: z.string(),
  runId: z.string(),
  joined: z.boolean().describe('Whether the alert joined an existing case.'),
  playbook: z.string().optional().describe('The kind of case.'),
  chosenBy: chosenBySchema.optional().describe('Why this kind was chosen.'),
  verdictOf: verdictSchema
    .pick({ decidedAt: true, degraded: true, degradedNote: true })
    .extend({ runId: z.string() })
    .optional()
    .describe(
      'The earlier verdict of the case, if this alert is not judged again; `again=true` judges it again.',
    ),
});
export type AcceptedAlert = z.infer<typeof acceptedAlertSchema>;

const batchEntries = [
  acceptedAlertSchema.extend({ index: z.int() }),
  z.object({ index: z.int(), problem: problemSchema }),
] as const;
/** `POST /v1/alerts` of the intake with an array of alerts: one result per alert, by index. */
export const acceptedBatchSchema = z.object({ results: z.array(z.union(batchEntries)) });
export type AcceptedBatch = z.infer<typeof acceptedBatchSchema>;

const ignoredSchema = z.object({
  index: z.int(),
  ignored: z
    .literal('resolved_unknown')
    .describe(
      'The sender reports the alert as resolved, and no earlier alert opened a case: there is no case.',
    ),
});
/** A post to the intake in a sender's own format: one result per alert, by index. */
export const acceptedPostSchema = z.object({ results: z.array(z.union([...batchEntries, ignoredSchema])) });
export type AcceptedPost = z.infer<typeof acceptedPostSchema>;
