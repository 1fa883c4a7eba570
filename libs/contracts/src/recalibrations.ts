import { z } from 'zod';
import { actBySchema, actIdSchema, actReasonSchema, type Act } from './act.js';
import { personal, withheldSchema } from './access/field-class.js';
import { jsonObjectSchema } from './json.js';
import { experimentSchema } from './ops-api-experiments.js';
import {
  confidenceOriginSchema,
  type ConfidenceOrigin,
  type FrozenRecalibration,
} from './rollout/recalibration.js';

const reason = actReasonSchema.describe('Why, for the history and the event log.');
const time = z.iso.datetime({ offset: true });

/** Selection of labelled verdicts of one source. */
export const labelSelection = {
  playbook: z.string().min(1).max(100).describe('Kind of the cases.'),
  strategy: z.string().max(100).optional().describe('Name of the strategy.'),
  prompts: z.string().max(2_000).optional().describe('Ids of the prompts, sorted, with commas between them.'),
  model: z.string().max(200).optional().describe('Name of the model.'),
  language: z.string().max(20).optional().describe('Language of the message; `none`: not recorded.'),
  confidenceSource: z.string().max(20).optional().describe('Who stated the confidence, such as `llm`.'),
  from: time.optional().describe('Decided at or after this time. Default: 90 days before `to`.'),
  to: time.optional().describe('Decided before this time. Default: now.'),
};

/** Body of `POST /quality/recalibrations`. */
export const recalibrateSchema = z.strictObject({
  ...labelSelection,
  by: actBySchema,
  reason,
  actId: actIdSchema,
});

/** A recalibration that was learned from labels. */
export const recalibrationSchema = confidenceOriginSchema.extend({
  version: z.int(),
  method: z.enum(['platt', 'isotonic']),
  labels: z.int().describe('Labels it was learned from.'),
  from: z.string().describe('Time of the oldest verdict among them.'),
  to: z.string().describe('Time of the newest one.'),
  runsDigest: z
    .string()
    .describe('SHA-256 of the sorted ids of the labelled runs, with line feeds between them.'),
  brierStated: z.number().describe('Mean squared error of the stated confidence over these labels.'),
  brierRecalibrated: z
    .number()
    .describe('Mean squared error of the recalibrated one in five-fold cross-validation.'),
  points: z
    .array(z.object({ stated: z.number(), confidence: z.number() }))
    .describe('Lines between these points give the confidence; outside, it is level.'),
  inForce: z.boolean().describe('Whether its flag is on, so that all new runs of the source use it.'),
  author: z.string(),
  reason: z.string(),
  createdAt: z.string(),
});
export type ShownRecalibration = z.infer<typeof recalibrationSchema>;

/** `GET /quality/recalibrations`. */
export const recalibrationListSchema = z.object({
  recalibrations: z.array(recalibrationSchema).describe('The newest first.'),
  nextCursor: z.null().describe('Always null: the list is complete.'),
});
export type RecalibrationList = z.infer<typeof recalibrationListSchema>;

/** Body of `POST /quality/experiments`. */
export const limitExperimentSchema = z.strictObject({
  ...labelSelection,
  share: z.number().min(0.0001).max(1).optional().describe('Share of the cases. Default: 0.1.'),
  by: actBySchema,
  reason,
  actId: actIdSchema,
});

/** Response of `POST /quality/experiments`. */
export const limitExperimentCreatedSchema = z.object({
  experiment: experimentSchema,
  suggestion: z
    .object({
      from: z.number().describe('Lowest confidence that acts or dismisses in the new arm.'),
      actedOn: z.int(),
      wrong: z.int(),
      recall: z.number(),
      reviewLoad: z.number(),
    })
    .describe('What the labels expect of the new arm.'),
});

/** Query of `GET /quality/labels`. */
export const labelsQuerySchema = z.strictObject({
  ...labelSelection,
  limit: z.coerce
    .number()
    .int()
    .min(1)
    .max(10_000)
    .optional()
    .describe('Default: 10000, the newest verdicts.'),
});

/** A label of a verdict. */
export const shownLabelSchema = confidenceOriginSchema.extend({
  caseId: z.string(),
  runId: z.string(),
  confidence: z.number().describe('As stated, before a recalibration.'),
  right: z.boolean().describe('Whether the person found the verdict right.'),
  outcome: personal(jsonObjectSchema, { codes: true }).describe(
    'The deciding fields as they should have been.',
  ),
  origin: z.enum(['person', 'upstream']).describe('`upstream`: an event such as a chargeback.'),
  event: z.string().nullable().describe('The upstream event.'),
  fromProposal: z
    .boolean()
    .describe('Whether the person agreed with the verdict that was proposed, instead of stating an outcome.'),
  sampled: z.boolean().describe('Whether the verdict was drawn at random for a check.'),
  by: z.string(),
  at: z.string(),
  decidedAt: z.string(),
});
export type ShownLabel = z.infer<typeof shownLabelSchema>;

/** `GET /quality/labels`. */
export const labelListSchema = z.object({
  withheld: withheldSchema,
  labels: z.array(shownLabelSchema).describe('Oldest verdict first. Agreements in bulk are left out.'),
  isComplete: z
    .boolean()
    .describe('false: the time has older verdicts with labels; ask for an earlier `to`.'),
  nextCursor: z.null(),
});

/** A recalibration that was learned from labels. It never changes; experiments and its flag put it in force. */
export interface RecalibrationEntry extends ConfidenceOrigin {
  version: number;
  method: 'platt' | 'isotonic';
  /** Labels it was learned from, and the time of the oldest and newest verdict among them, ISO 8601. */
  labels: number;
  from: string;
  to: string;
  /** SHA-256 (hexadecimal) of the sorted ids of the labelled runs. */
  runsDigest: string;
  /** Mean squared error of the stated confidence, and of this one on labels left out of its fit. */
  brierStated: number;
  brierRecalibrated: number;
  points: FrozenRecalibration['points'];
  author: string;
  reason: string;
  createdAt: string;
}

export type NewRecalibration = Omit<RecalibrationEntry, 'version' | 'author' | 'createdAt'> & Act;

/** Versions of recalibrations. */
export interface Recalibrations {
  /** Lists all versions, the newest first. */
  list(): Promise<RecalibrationEntry[]>;
  /** Adds a version, which is not in force. A repeated act returns the version that it added. */
  add(recalibration: NewRecalibration): Promise<RecalibrationEntry>;
}
