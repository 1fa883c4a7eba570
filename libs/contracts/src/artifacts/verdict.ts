import { z } from 'zod';
import { jsonObjectSchema } from '../json.js';
import { CONFIDENCE_SOURCES, METHODS } from './draft.js';

export const DISPOSITIONS = ['act', 'review', 'dismiss'] as const;

/** The final record of a run. */
export const verdictSchema = z.object({
  /** The playbook's own result. */
  outcome: jsonObjectSchema,
  disposition: z.enum(DISPOSITIONS),
  confidence: z.number().min(0).max(1),
  confidenceSource: z.enum(CONFIDENCE_SOURCES),
  method: z.enum(METHODS),
  reasons: z.array(z.string()),
  /** Evidence ids. */
  citations: z.array(z.string()),
  /** True when the intended way was not taken: a fallback, a default, a missing part. */
  degraded: z.boolean(),
  decidedAt: z.string(),
});
export type Verdict = z.infer<typeof verdictSchema>;
