import { z } from 'zod';
import { jsonObjectSchema } from '../json.js';

/**
 * Source of a judgement: a language model, rules, or `demonstration`, a hand-written answer for a bundled
 * sample (`up --demo`).
 */
export const METHODS = ['llm', 'heuristic', 'demonstration'] as const;
export const CONFIDENCE_SOURCES = ['llm', 'heuristic', 'critic', 'calibrated'] as const;

/** One statement with the evidence that supports it. */
export const claimSchema = z.object({ text: z.string(), citations: z.array(z.string()) });

/** The reasoned answer of one round. */
export const draftSchema = z.object({
  /** The strategy's own answer. The playbook's decision policy knows its shape. */
  answer: jsonObjectSchema,
  explanation: z.string(),
  claims: z.array(claimSchema),
  /** Evidence ids that the answer cites, including unknown ids. The critic checks them. */
  evidenceUsed: z.array(z.string()),
  confidence: z.number().min(0).max(1),
  confidenceSource: z.enum(CONFIDENCE_SOURCES),
  method: z.enum(METHODS),
  strategy: z.string(),
  promptId: z.string().optional(),
  /** Reason code of a fallback (`timeout`, `invalid_answer`, `no_provider`, ...). */
  fallbackReason: z.string().optional(),
  /**
   * Number of model answers that could not be parsed, including one that was then repaired. Default: none.
   */
  unreadable: z.number().int().min(1).optional(),
  /**
   * Time that is left of the strategy's deadline, in milliseconds. A further question about the draft must be answered within it.
   * Default: the strategy has no deadline.
   */
  leftMs: z.number().int().min(0).optional(),
  /** Corrections made to the answer, for example `confidence_missing`. */
  remarks: z.array(z.string()),
  /**
   * Results of the strategy's own tool calls, with the ids by which they may be cited like evidence. Default:
   * none.
   */
  read: z
    .array(
      z.object({
        id: z.string(),
        tool: z.string(),
        toolCallId: z.string(),
        /**
         * The result that citations are checked against, cut to a limit. Default: no later stage reads it.
         */
        text: z.string().optional(),
      }),
    )
    .optional(),
  /**
   * Queries for further searches. They open a new round at the stage `collect` if the strategy requests it.
   */
  queries: z.array(z.string()).optional(),
});
export type Draft = z.infer<typeof draftSchema>;
