import { z } from 'zod';
import { personal } from '../access/field-class.js';
import { jsonObjectSchema, type JsonObject } from '../json.js';
import { armOfRunSchema } from '../rollout/arm-of-run.js';
import { CONFIDENCE_SOURCES, METHODS } from './draft.js';

export const DISPOSITIONS = ['act', 'review', 'dismiss'] as const;

/** The final record of a run. */
export const verdictSchema = z.object({
  /** The playbook's own result. */
  outcome: personal(jsonObjectSchema, { codes: true }),
  disposition: z.enum(DISPOSITIONS),
  confidence: z.number().min(0).max(1),
  confidenceSource: z.enum(CONFIDENCE_SOURCES),
  method: z.enum(METHODS),
  reasons: personal(z.array(z.string())),
  /** Ids of the cited evidence. */
  citations: z.array(z.string()),
  /** Whether the verdict is degraded: based on a fallback, a default or incomplete input. */
  degraded: z.boolean(),
  /** Codes of `DEGRADED_BY`. Empty if the verdict is not degraded. */
  degradedBy: z.array(z.string()).default([]),
  /**
   * The causes in short words for lists: `model out`, `3 of 7 look-ups failed`. Empty if the verdict is not
   * degraded.
   */
  degradedNote: z.string().default(''),
  decidedAt: z.string(),
  /** Ids of the prompts of the run's strategy, as interactions name them. Default: not noted. */
  promptIds: z.array(z.string()).optional(),
  /** The arm of an experiment that decided. Default: none. */
  experiment: armOfRunSchema.optional(),
  /** Confidence before a recalibration, who stated it, and the version applied. Default: none was applied. */
  statedConfidence: z
    .object({
      confidence: z.number().min(0).max(1),
      source: z.enum(CONFIDENCE_SOURCES),
      recalibration: z.number().int(),
    })
    .optional(),
  /** The case and run whose verdict a member of a storm took. Default: its alert was judged. */
  storm: z.object({ caseId: z.string(), runId: z.string() }).optional(),
  /** The person who corrected the verdict. Default: the run decided. */
  decidedBy: z
    .object({
      person: z.string(),
      at: z.string(),
      reason: personal(z.string()),
      /** What in the record of the run the answer contradicts. Default: nothing. */
      contradicts: personal(z.string()).optional(),
    })
    .optional(),
});
export type Verdict = z.infer<typeof verdictSchema>;

/** Returns a recorded verdict. Fields that older verdicts lack are filled in. */
export function recordedVerdict(body: JsonObject): Verdict {
  return { degradedBy: [], degradedNote: '', ...body } as unknown as Verdict;
}
