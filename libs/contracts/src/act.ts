import { z } from 'zod';

/** Actor and reason of an act, and the id by which a repeated request is recognised. */
export interface Act {
  actId: string;
  by: string;
  reason: string;
}

/** Field `by` of a request that acts. */
export const actBySchema = z
  .string()
  .trim()
  .min(1)
  .max(200)
  .describe('Who acts, for the history and the event log.');

/** Field `reason` of a request that acts. */
export const actReasonSchema = z.string().trim().min(1).max(2_000);

/** Field `actId` of a request that acts. */
export const actIdSchema = z
  .string()
  .min(1)
  .max(100)
  .optional()
  .describe('Id of the act. A repeated request with the same id acts once. Default: a new id.');
