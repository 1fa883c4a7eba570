import { z } from 'zod';
import { actBySchema, actIdSchema, actReasonSchema } from './act.js';

const reason = actReasonSchema.describe('Why, for the history and the event log.');

/** A flag as the API shows it. */
export const shownFlagSchema = z.object({
  name: z.string().describe('`experiment.` and the id of the experiment whose new arm the flag switches.'),
  variant: z.string().describe('`on`: the new arm takes cases. `off`: new runs use the normal settings.'),
  version: z.int().describe('Number of the changes of the flag. Runs are frozen with it.'),
  by: z.string().describe('Who changed it last; `rule`: an automatic step back.'),
  reason: z.string(),
  latched: z.boolean().describe('Whether an automatic step back set it. Only a reset ends that.'),
  changedAt: z.string(),
});
export type ShownFlag = z.infer<typeof shownFlagSchema>;

/** `GET /flags`. */
export const flagListSchema = z.object({
  flags: z.array(shownFlagSchema),
  nextCursor: z.string().nullable(),
});
export type FlagList = z.infer<typeof flagListSchema>;

/** Body of `POST /flags/{name}`. */
export const setFlagSchema = z.strictObject({
  variant: z.enum(['on', 'off']).describe('In force for new runs within 5 s in every service.'),
  by: actBySchema,
  reason,
  actId: actIdSchema,
});

/** Body of `POST /experiments/{id}/reset`. */
export const resetExperimentSchema = z.strictObject({ by: actBySchema, reason, actId: actIdSchema });
