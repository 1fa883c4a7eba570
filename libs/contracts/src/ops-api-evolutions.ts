import { z } from 'zod';
import { reasoning, withheldSchema } from './access/field-class.js';
import { EVOLUTION_STATUSES } from './ports/evolutions.js';

const by = z.string().trim().min(1).max(200).describe('Who acts, for the history and the event log.');
const reason = z.string().trim().min(1).max(2_000);
const actId = z
  .string()
  .min(1)
  .max(100)
  .optional()
  .describe('Id of the act. A repeated request with the same id acts once. Default: a new id.');
const budgetUsd = z
  .number()
  .positive()
  .max(1_000_000)
  .describe('Limit for the model calls of all evaluations and reflections.');
const weight = z.number().min(0).max(1).optional();

/** Weights of the objectives. */
const weightsSchema = z.strictObject({
  citations: weight.describe('Verified of all cited. Default: 0.4.'),
  coherence: weight.describe('Claims that the cross-examination supports. Default: 0.3.'),
  calibration: weight.describe('1 - Brier score. Default: 0.2.'),
  status: weight.describe('Outcomes equal to the label. Default: 0.1.'),
});

/** Body of `POST /evolutions`. */
export const startEvolutionSchema = z.strictObject({
  playbook: z.string().min(1).max(100).describe('Kind of case.'),
  prompt: z.string().min(1).max(100).describe('Name of the prompt, such as `answer`.'),
  budgetUsd,
  from: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe('Labelled set of the cases. Default: labelled cases of live work, the newest 150.'),
  weights: weightsSchema.optional(),
  seed: z.int().min(1).max(1_000_000).optional().describe('Seed of the split and of all draws. Default: 1.'),
  evaluations: z
    .int()
    .min(50)
    .max(10_000)
    .optional()
    .describe('Most evaluations of one text on one case. Default: 2000.'),
  by,
  reason: reason.optional(),
  actId,
});
export type StartEvolution = z.infer<typeof startEvolutionSchema>;

/** Body of `POST /evolutions/{id}/pause` and `stop`. */
export const evolutionActSchema = z.strictObject({ by, reason, actId });
/** Body of `POST /evolutions/{id}/resume`. */
export const resumeEvolutionSchema = evolutionActSchema.extend({
  budgetUsd: budgetUsd.optional().describe('New limit. Default: the limit stays.'),
});

/** A prompt evolution. */
export const evolutionSchema = z.object({
  id: z.string(),
  playbook: z.string(),
  prompt: z.string(),
  from: z.string().nullable().describe('Labelled set of the cases. null: labelled cases of live work.'),
  state: z
    .enum(EVOLUTION_STATUSES)
    .describe('`done`: it has a report. `stopped`: a person ended it without one.'),
  reason: z.string().nullable().describe('Why it paused without a person, such as its budget.'),
  weights: z.record(z.string(), z.number()),
  budgetUsd: z.number(),
  costUsd: z.number().describe('Paid so far, with what calls in flight have reserved.'),
  baseVersion: z.int().describe('The live version that it started from.'),
  version: z.int().nullable().describe('The candidate that was added for the best text. null: none.'),
  author: z.string(),
  createdAt: z.string(),
  endedAt: z.string().nullable(),
});
export type ShownEvolution = z.infer<typeof evolutionSchema>;

/** `GET /evolutions`. */
export const evolutionListSchema = z.object({
  evolutions: z.array(evolutionSchema).describe('The newest first.'),
  nextCursor: z.string().nullable(),
});
export type EvolutionList = z.infer<typeof evolutionListSchema>;

const comparisonSchema = z.object({
  objective: z.string().describe('`score`: all objectives by their weights.'),
  cases: z.int().describe('Cases that both texts have a value for.'),
  live: z.number().nullable(),
  candidate: z.number().nullable(),
  difference: z.number().nullable(),
  interval: z
    .object({ low: z.number(), high: z.number() })
    .nullable()
    .describe('95 % interval of the difference. null: fewer than two cases.'),
});

/** `GET /evolutions/{id}`. */
export const evolutionDetailSchema = evolutionSchema.extend({
  withheld: withheldSchema,
  cases: z.object({ train: z.int(), validation: z.int(), heldOut: z.int() }),
  evaluations: z.int().describe('Evaluations of one text on one case so far.'),
  mostEvaluations: z.int(),
  etaSeconds: z
    .number()
    .nullable()
    .describe('Longest remaining time at the pace so far. null: it does not run, or nothing has ended.'),
  candidates: z
    .array(
      z.object({
        index: z.int(),
        parent: z.int().nullable().describe('Index of the text that it was made from. null: the live text.'),
        state: z
          .enum(['comparing', 'kept', 'not_better', 'refused', 'missed'])
          .describe('`kept`: it exceeded its parent by more than the noise. `refused`: by a check.'),
        reason: reasoning(z.string().nullable()).describe('Why a check refused it.'),
        score: z
          .number()
          .nullable()
          .describe('Mean score on the validation cases. null: not evaluated on all.'),
        evaluated: z.int().describe('Cases that it was evaluated on.'),
        changes: z
          .array(z.object({ change: z.enum(['added', 'removed']), text: reasoning(z.string()) }))
          .describe('Lines that differ from its parent.'),
        added: z
          .array(reasoning(z.string()))
          .describe('Sentences that the live text does not have. Read them before the text becomes live.'),
        learntFrom: z
          .array(z.string())
          .describe('Training cases whose judgements led to the text, and to those that it was made from.'),
      }),
    )
    .describe('The texts in their order. The first is the live text.'),
  report: z
    .object({
      result: z.enum(['improved', 'no_improvement_on_validation', 'no_improvement_on_held_out']),
      best: z.int().describe('Index of the best text. 0: the live text.'),
      noise: z.number().describe('Standard deviation of the difference between two scores of one text.'),
      validation: z.array(comparisonSchema),
      heldOut: z.array(comparisonSchema).describe('Empty: the held-out cases were not used.'),
    })
    .nullable(),
});
export type ShownEvolutionDetail = z.infer<typeof evolutionDetailSchema>;
