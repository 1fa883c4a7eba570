import { z } from '@casefile/contracts';
import { routingOptionsSchema } from '../../language/route-message.js';
import { thresholdsSchema } from '../../policies/engage-probe-ignore.js';

const similarity = z.number().min(0).max(1);
const levels = z.object({ highFrom: similarity.optional(), mediumFrom: similarity.optional() });
type Levels = z.infer<typeof levels>;
const inOrder = ({ highFrom = 1, mediumFrom = 0 }: Levels) => mediumFrom <= highFrom;
const OUT_OF_ORDER = { path: ['mediumFrom'], message: 'expected no more than highFrom' };

/** Everything of this playbook that configuration may set; a name that is none of these is a mistake. */
export const optionsSchema = z
  .strictObject({
    ...routingOptionsSchema.shape,
    ...thresholdsSchema.shape,
    /** For the question and its repair together, in milliseconds. */
    deadlineMs: z.number().int().min(100).max(600_000).optional(),
    /** What judges after a failure of the model: nothing (the default, S3-41), or the rules. */
    onFailure: z.enum(['ignore', 'rules']).optional(),
    /** Known patterns that the model is shown. S3-10. */
    matches: z.number().int().min(3).max(5).optional(),
    /** Similarities from which a match is called HIGH and MEDIUM, whatever the embedder; else those it is shipped with. S3-11. */
    ...levels.shape,
    /** The same by embedder: its model's name, or `words` for languages that are looked up by words alone. S3-14. */
    levels: z.record(z.string().min(1).max(200), levels.strict().refine(inOrder, OUT_OF_ORDER)).optional(),
  })
  .refine(inOrder, OUT_OF_ORDER);
