import { z } from 'zod';
import { citationSchema, CITATION_PROBLEMS, CITATION_STATES, quoteCitationSchema } from '../citation.js';
import { jsonSchema } from '../json.js';

export const CRITERION_STATUSES = ['MET', 'NOT_MET', 'UNCERTAIN'] as const;
export type CriterionStatus = (typeof CRITERION_STATUSES)[number];

/** Characters of an observation in a trace: the whole of it is with its tool call on the record. S4-24. */
export const OBSERVATION_SHOWN = 500;

/** One use of a tool in a turn, as the trace shows it. */
export const traceActionSchema = z.object({
  tool: z.string(),
  /** As the model gave them: no arguments are added, none are mended. */
  args: jsonSchema,
  /** What the model was told, cut at OBSERVATION_SHOWN characters. */
  observation: z.string(),
  cut: z.boolean(),
  /** Told from an earlier call of the same evaluation. S4-05. */
  cached: z.boolean(),
  /** Why it failed (`invalid_arguments`, `unknown_tool`, `tool_timeout`, ...); null: it did not. */
  reasonCode: z.string().nullable(),
  /** The call on the record that holds the whole; null: nothing was called. */
  toolCallId: z.string().nullable(),
  durationMs: z.number().nonnegative().nullable(),
});
export type TraceAction = z.infer<typeof traceActionSchema>;

const tokensSchema = z.object({ input: z.number().int(), output: z.number().int() });

/** One turn: what the model thought, what it did, what it was told. S4-24. */
export const traceStepSchema = z.object({
  /** From 1. */
  iteration: z.number().int().min(1),
  /** Step of the model's call in the journal: the interaction with the same stage, unit and step. */
  step: z.number().int(),
  /** Might this turn only finish? */
  forced: z.boolean(),
  /** What the model wrote beside its calls, cut at OBSERVATION_SHOWN characters; where it wrote nothing, the summary of its
   * reasoning, which is whole with the interaction of `step`. */
  thought: z.string(),
  actions: z.array(traceActionSchema),
  tokens: tokensSchema,
  costUsd: z.number().nullable(),
});
export type TraceStep = z.infer<typeof traceStepSchema>;

const pagesSchema = z.object({ from: z.number().int(), to: z.number().int() }).nullable();

/** A citation that was held against what it names and borne out. */
export const verifiedCitationSchema = z.union([
  /** `confidential`: the section's words stay on the record. S4-15. */
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

/** A citation that does not count, and what is wrong with it. S4-21. */
export const refutedCitationSchema = z.object({
  citation: citationSchema,
  state: z.enum(CITATION_STATES),
  problem: z.enum(CITATION_PROBLEMS),
  /** What is there instead. */
  instead: z.array(z.string()),
});
export type RefutedCitation = z.infer<typeof refutedCitationSchema>;

/** What the check of one criterion came to. S4-20. */
export const criterionResultSchema = z.object({
  id: z.string(),
  text: z.string(),
  status: z.enum(CRITERION_STATUSES),
  confidence: z.number().min(0).max(1),
  rationale: z.string(),
  citations: z.array(verifiedCitationSchema),
  refuted: z.array(refutedCitationSchema),
  /** Why it is not decided, or not in the intended way; null: there is nothing to say. S4-31, S4-32. */
  reasonCode: z.string().nullable(),
  /** What was answered before citations were held against their ground; null: the same, or nothing was. */
  claimed: z.object({ status: z.enum(CRITERION_STATUSES), confidence: z.number() }).nullable(),
  policy: z.object({ policyId: z.string(), version: z.number().int() }),
  strategy: z.string(),
  promptId: z.string().nullable(),
  model: z.string().nullable(),
  iterations: z.number().int().min(0),
  tokens: tokensSchema,
  /** At list price, tools' own calls of models included; null: of one call the price is not known. */
  costUsd: z.number().nullable(),
  trace: z.array(traceStepSchema),
  /** Where confidential sections were looked at: which, and the rationale without their words. S4-15. */
  withheld: z.object({ nodeIds: z.array(z.string()), rationale: z.string() }).optional(),
});
export type CriterionResult = z.infer<typeof criterionResultSchema>;
