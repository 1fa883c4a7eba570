import { z } from 'zod';
import { jsonObjectSchema } from '../json.js';

/**
 * Who judged: a language model, rules, or nobody at all: `demonstration` marks an answer that people wrote by hand for a
 * bundled sample (`up --demo`).
 */
export const METHODS = ['llm', 'heuristic', 'demonstration'] as const;
export const CONFIDENCE_SOURCES = ['llm', 'heuristic', 'critic', 'calibrated'] as const;

/** One statement and the evidence it rests on. */
export const claimSchema = z.object({ text: z.string(), citations: z.array(z.string()) });

/** The reasoned answer of one round. */
export const draftSchema = z.object({
  /** The strategy's own answer; the playbook's decision policy knows its shape. */
  answer: jsonObjectSchema,
  explanation: z.string(),
  claims: z.array(claimSchema),
  /** Evidence ids the answer says it rests on, unknown ones included: the critic looks at them. */
  evidenceUsed: z.array(z.string()),
  confidence: z.number().min(0).max(1),
  confidenceSource: z.enum(CONFIDENCE_SOURCES),
  method: z.enum(METHODS),
  strategy: z.string(),
  promptId: z.string().optional(),
  /** Why the intended way was not taken (`timeout`, `invalid_answer`, `no_provider`, ...). */
  fallbackReason: z.string().optional(),
  /** Answers of the model that could not be read, one that was then mended included; absent: none. S1-64. */
  unreadable: z.number().int().min(1).optional(),
  /** Things that were set right in the answer, for example `confidence_clamped`. */
  remarks: z.array(z.string()),
  /** What was read by calls of the strategy's own, with the ids by which it may be cited beside the evidence; absent: nothing. */
  read: z
    .array(
      z.object({
        id: z.string(),
        tool: z.string(),
        toolCallId: z.string(),
        /** The result as citations are checked against it, bounded. Default: no later stage reads it. */
        text: z.string().optional(),
      }),
    )
    .optional(),
  /** What to look for next; opens a new round at collect when the strategy says so. */
  queries: z.array(z.string()).optional(),
});
export type Draft = z.infer<typeof draftSchema>;
