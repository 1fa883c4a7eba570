import { z } from 'zod';
import { chosenBySchema, verdictSchema } from './artifacts/index.js';
import { problemSchema } from './ops-api.js';
import { IGNORED_REASONS } from './ports/runs.js';

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

/** An alert that opens no case. */
export const ignoredAlertSchema = z.object({
  ignored: z
    .enum(IGNORED_REASONS)
    .describe(
      '`resolved_unknown`: the sender reports the alert as resolved, and no earlier alert opened a case. `remark_unknown`: a person acted on an alert that no case has.',
    ),
  playbook: z.string().optional().describe('The kind of case that it would have been.'),
});
export type IgnoredAlert = z.infer<typeof ignoredAlertSchema>;

/** `POST /v1/alerts` with one alert. */
export const receivedAlertSchema = z.union([acceptedAlertSchema, ignoredAlertSchema]);
export type ReceivedAlert = z.infer<typeof receivedAlertSchema>;

const batchEntries = [
  acceptedAlertSchema.extend({ index: z.int() }),
  ignoredAlertSchema.extend({ index: z.int() }),
  z.object({ index: z.int(), problem: problemSchema }),
] as const;
/** A batch of alerts, or a post in a sender's own format: one result per alert, by index. */
export const acceptedBatchSchema = z.object({ results: z.array(z.union(batchEntries)) });
export type AcceptedBatch = z.infer<typeof acceptedBatchSchema>;
