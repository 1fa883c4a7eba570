import { z } from '@casefile/contracts';
import { routingOptionsSchema } from '../../language/route-message.js';
import { thresholdsSchema } from '../../policies/engage-probe-ignore.js';

const similarity = z.number().min(0).max(1);

/** Everything of this playbook that configuration may set; a name that is none of these is a mistake. */
export const optionsSchema = z
  .strictObject({
    ...routingOptionsSchema.shape,
    ...thresholdsSchema.shape,
    /** For the question and its repair together, in milliseconds. */
    deadlineMs: z.number().int().min(100).max(600_000).optional(),
    /** Known patterns that the model is shown. S3-10. */
    matches: z.number().int().min(3).max(5).optional(),
    /** Similarities from which a match is called HIGH and MEDIUM. S3-11. */
    highFrom: similarity.optional(),
    mediumFrom: similarity.optional(),
  })
  .refine((given) => (given.mediumFrom ?? 0) <= (given.highFrom ?? 1), {
    path: ['mediumFrom'],
    message: 'expected no more than highFrom',
  });
