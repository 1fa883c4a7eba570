import { z } from 'zod';
import { jsonObjectSchema, type JsonObject } from '../json.js';
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
  /** Why, by the codes of `DEGRADED_BY`; empty when it is not degraded. */
  degradedBy: z.array(z.string()).default([]),
  /** The same in short words for lines and lists: `model out`, `3 of 7 look-ups failed`; empty when it is not degraded. */
  degradedNote: z.string().default(''),
  decidedAt: z.string(),
});
export type Verdict = z.infer<typeof verdictSchema>;

/** A verdict as it stands on the record; what older ones lack is set in. */
export function recordedVerdict(body: JsonObject): Verdict {
  return { degradedBy: [], degradedNote: '', ...body } as unknown as Verdict;
}
