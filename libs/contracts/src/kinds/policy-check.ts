import { z } from 'zod';
import { citationSchema, CITATION_PROBLEMS, CITATION_STATES, quoteCitationSchema } from '../citation.js';
import { jsonSchema } from '../json.js';

export const CRITERION_STATUSES = ['MET', 'NOT_MET', 'UNCERTAIN'] as const;
export type CriterionStatus = (typeof CRITERION_STATUSES)[number];

/** Maximum length of an observation in a trace. The tool call on the record contains all of it. */
export const OBSERVATION_SHOWN = 500;

/** One tool call in a turn, as the trace shows it. */
export const traceActionSchema = z.object({
  tool: z.string(),
  /** The model's arguments, unchanged: none are added or repaired. */
  args: jsonSchema,
  /** The result sent to the model, cut at OBSERVATION_SHOWN characters. */
  observation: z.string(),
  cut: z.boolean(),
  /** Whether the result was cached from an earlier call of the same evaluation. */
  cached: z.boolean(),
  /**
   * Reason code of a failure (`invalid_arguments`, `unknown_tool`, `tool_timeout`, ...). null: no failure.
   */
  reasonCode: z.string().nullable(),
  /** The call on the record with the whole result. null: no tool was called. */
  toolCallId: z.string().nullable(),
  durationMs: z.number().nonnegative().nullable(),
});
export type TraceAction = z.infer<typeof traceActionSchema>;

const tokensSchema = z.object({ input: z.number().int(), output: z.number().int() });

/** One turn: the model's thought, its actions and their results. */
export const traceStepSchema = z.object({
  /** Number of the turn, from 1. */
  iteration: z.number().int().min(1),
  /** Step of the model's call in the journal: the interaction with the same stage, unit and step. */
  step: z.number().int(),
  /** Whether only `finish` was allowed. */
  forced: z.boolean(),
  /**
   * The model's text next to its calls, cut at OBSERVATION_SHOWN characters. If there is none: the summary of
   * its reasoning, which is stored completely in the interaction of `step`.
   */
  thought: z.string(),
  actions: z.array(traceActionSchema),
  tokens: tokensSchema,
  costUsd: z.number().nullable(),
});
export type TraceStep = z.infer<typeof traceStepSchema>;

const pagesSchema = z.object({ from: z.number().int(), to: z.number().int() }).nullable();

/** A citation that was checked against its source and is supported by it. */
export const verifiedCitationSchema = z.union([
  /** `confidential`: the section's words stay on the record and are not shown. */
  quoteCitationSchema.extend({
    title: z.string(),
    pages: pagesSchema,
    confidential: z.literal(true).optional(),
  }),
  /** `factIds`: the readings that have this value. */
  z.object({
    kind: z.literal('fact'),
    fact: z.string(),
    value: z.union([z.string(), z.number(), z.boolean()]),
    unit: z.string().optional(),
    factIds: z.array(z.string()),
  }),
  z.object({ kind: z.literal('absence'), of: z.enum(['fact', 'policy']), asked: z.string() }),
]);
export type VerifiedCitation = z.infer<typeof verifiedCitationSchema>;

/** A citation that failed the check, and its problem. */
export const refutedCitationSchema = z.object({
  citation: citationSchema,
  state: z.enum(CITATION_STATES),
  problem: z.enum(CITATION_PROBLEMS),
  /** The actual content of the source. */
  instead: z.array(z.string()),
});
export type RefutedCitation = z.infer<typeof refutedCitationSchema>;

/** Result of the check of one criterion. */
export const criterionResultSchema = z.object({
  id: z.string(),
  text: z.string(),
  status: z.enum(CRITERION_STATUSES),
  confidence: z.number().min(0).max(1),
  rationale: z.string(),
  citations: z.array(verifiedCitationSchema),
  refuted: z.array(refutedCitationSchema),
  /** Reason code if the criterion is undecided, or decided by a fallback. null: neither. */
  reasonCode: z.string().nullable(),
  /** The answer before its citations were checked. null: unchanged, or there was none. */
  claimed: z.object({ status: z.enum(CRITERION_STATUSES), confidence: z.number() }).nullable(),
  policy: z.object({ policyId: z.string(), version: z.number().int() }),
  strategy: z.string(),
  promptId: z.string().nullable(),
  model: z.string().nullable(),
  iterations: z.number().int().min(0),
  tokens: tokensSchema,
  /** Cost at list price, including model calls of tools. null: the price of a call is unknown. */
  costUsd: z.number().nullable(),
  trace: z.array(traceStepSchema),
  /** If confidential sections were read: their ids, and the rationale without their words. */
  withheld: z.object({ nodeIds: z.array(z.string()), rationale: z.string() }).optional(),
  /** The model's own rationale, if the review rejected its answer. `rationale` then states why. */
  unproven: z.string().optional(),
});
export type CriterionResult = z.infer<typeof criterionResultSchema>;
