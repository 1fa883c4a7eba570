import { z } from 'zod';
import { type Act, actBySchema, actIdSchema, actReasonSchema } from './act.js';
import { REASONS, reasonOf, type ReasonCode } from './errors/reason-codes.js';
import type { JsonObject } from './json.js';
import type { RunStatus } from './run-status.js';
import type { PromptName } from './prompts.js';
import { reasoning, withheldSchema } from './access/field-class.js';

/** States of a prompt evolution. `done`: it has a report. `stopped`: a person ended it without one. */
export const EVOLUTION_STATUSES = ['running', 'paused', 'stopped', 'done'] as const;
export type EvolutionStatus = (typeof EVOLUTION_STATUSES)[number];

/** Most evolutions on the record. */
export const MOST_EVOLUTIONS = 1_000;

/**
 * Reason codes of runs that no text could have helped: no money, no price or no provider. The evolution pauses for
 * them, because a score without these runs would say nothing about the text.
 */
export const HELD_REASONS: readonly ReasonCode[] = (Object.keys(REASONS) as ReasonCode[]).filter(
  (code) =>
    reasonOf(code).outage?.includes('model') === true ||
    ['batch_budget', 'budget_exhausted', 'unknown_price', 'no_provider'].includes(code),
);

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
  by: actBySchema,
  reason: actReasonSchema.optional(),
  actId: actIdSchema,
});
export type StartEvolution = z.infer<typeof startEvolutionSchema>;

/** Body of `POST /evolutions/{id}/pause` and `stop`. */
export const evolutionActSchema = z.strictObject({
  by: actBySchema,
  reason: actReasonSchema,
  actId: actIdSchema,
});
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

/** Evolution of a prompt on recorded cases, as the record has it. `dataset` is the API's field `from`. */
export interface EvolutionEntry extends Omit<ShownEvolution, 'prompt' | 'from' | 'weights'>, PromptName {
  dataset: string | null;
  /** Share of each objective in the score of a case. */
  weights: Readonly<ShownEvolution['weights']>;
  /** Number of finished steps. A result is stored only for the step that it belongs to. */
  step: number;
  /** State of the loop, as the pipeline made it. */
  progress: JsonObject;
  /** null: it is not done. */
  report: JsonObject | null;
  /** Time of work without pauses, in milliseconds. */
  workedMs: number;
}

/** An evolution that a person starts. */
export type NewEvolution = Pick<
  EvolutionEntry,
  'id' | 'playbook' | 'name' | 'dataset' | 'weights' | 'budgetUsd' | 'baseVersion' | 'progress'
> &
  Act;

/** A case with the outcome that most people's newest labels name. */
export interface LabelledOutcome {
  caseId: string;
  outcome: JsonObject;
}

/** Data of a run that an evaluation needs. */
export interface EvaluatedRun {
  runId: string;
  caseId: string;
  status: RunStatus;
  reasonCode: string | null;
  /** Ids or quotes that its drafts cite, and those of them that are on the record. */
  cited: number;
  supported: number;
  /** Claims that the cross-examination answered, with the answer. */
  claims: readonly { text: string; answer: string }[];
  confidence: number | null;
  /** Reason code with which a draft fell back to rules. null: no draft did. */
  fallback: string | null;
  /** Outcome of the verdict. null: there is no verdict. */
  outcome: JsonObject | null;
  /** Outcome that the labels of the case name. null: there is no label. */
  expected: JsonObject | null;
  right: boolean | null;
  /** Answer of the last draft. null: there is no draft. */
  answer: JsonObject | null;
  /** Text of the case, and its structured input. */
  text: string;
  input: JsonObject | null;
  /** The newest note of a person on a label. null: none. */
  note: string | null;
}

/** Acts of people on an evolution. */
export const EVOLUTION_ACTS = ['pause', 'resume', 'stop'] as const;
export type EvolutionAct = (typeof EVOLUTION_ACTS)[number];

/** Prompt evolutions on the record. Each act is one transaction with its event, and acts once per `actId`. */
export interface Evolutions {
  /** Lists evolutions, the newest first, without `progress`. */
  list(): Promise<EvolutionEntry[]>;
  get(id: string): Promise<EvolutionEntry | null>;
  /**
   * Starts an evolution. A repeated act returns the evolution that it started.
   * @throws CasefileError `conflict` if an evolution of the prompt is running or paused; `too_many`.
   */
  create(evolution: NewEvolution): Promise<EvolutionEntry>;
  /**
   * Pauses, resumes or stops. Resuming wakes runs that waited for the budget. @returns null if there is no such
   * evolution. @throws CasefileError `conflict` if its state does not allow it.
   */
  act(id: string, act: EvolutionAct, by: Act, budgetUsd?: number): Promise<EvolutionEntry | null>;
  /** Returns the cases of a kind that people labelled and whose shown run has a verdict. */
  labelled(of: { playbook: string; dataset: string | null; limit: number }): Promise<LabelledOutcome[]>;

  /** Returns the evolutions that are running, oldest first. */
  running(): Promise<EvolutionEntry[]>;
  /** Returns the recorded data of these runs. Unknown runs are omitted. */
  evaluated(runIds: readonly string[]): Promise<EvaluatedRun[]>;
  /** Stores the state after a step. @returns false if another process did, or the evolution does not run. */
  keep(id: string, step: number, progress: JsonObject): Promise<boolean>;
  /**
   * Pauses a running evolution automatically, with a reason. Does nothing if its budget is no longer the one that was
   * read: a person has raised it since.
   */
  hold(evolution: Pick<EvolutionEntry, 'id' | 'budgetUsd'>, reason: string): Promise<void>;
  /** Ends a running evolution with its report. */
  finish(id: string, step: number, end: { report: JsonObject; version: number | null }): Promise<boolean>;
}
