import { z } from 'zod';
import { jsonObjectSchema } from './json.js';
import { settingsChangeSchema } from './ops-api-rerun.js';
import { EXPERIMENT_MODES, EXPERIMENT_STATES } from './ports/experiments.js';
import { confidenceChanges } from './rollout/recalibration.js';

const by = z.string().trim().min(1).max(200).describe('Who acts, for the history and the event log.');
const reason = z.string().trim().min(1).max(2_000);
const actId = z
  .string()
  .min(1)
  .max(100)
  .optional()
  .describe('Id of the act. A repeated request with the same id acts once. Default: a new id.');
const share = z.number().min(0.0001).max(1).describe('Share of the cases, from 0.0001 to 1.');

/** One way of judging. */
export const experimentArmSchema = z.strictObject({
  name: z
    .string()
    .regex(/^[a-z0-9][a-z0-9-]{0,39}$/, 'expected 1 to 40 characters of a-z, 0-9 and -')
    .describe('Name of the arm on verdicts and in metrics.'),
  settings: settingsChangeSchema
    .omit({ prompts: true })
    .extend({
      prompts: z
        .record(z.string().max(100), z.int().min(1))
        .optional()
        .describe('Version numbers by name of the prompt, such as `{ "answer": 3 }`.'),
      ...confidenceChanges,
    })
    .describe('Changes to the normal settings. Empty: the normal settings.'),
});

/** Body of `POST /experiments`. */
export const createExperimentSchema = z
  .strictObject({
    name: z.string().trim().min(1).max(200),
    playbook: z.string().min(1).max(100).describe('Kind of case.'),
    mode: z
      .enum(EXPERIMENT_MODES)
      .describe('`ab`: new cases of the share are judged by the new arm. `shadow`: they are judged twice.'),
    arms: z.array(experimentArmSchema).length(2).describe('The control and the new arm.'),
    share,
    margin: z
      .number()
      .min(0.001)
      .max(0.5)
      .optional()
      .describe('Largest loss that counts as "at least as good". Default: 0.03 for shadow, 0.05 for ab.'),
    expectedCases: z
      .int()
      .min(10)
      .max(1_000_000)
      .optional()
      .describe('Reviewed cases at which a result is expected. Default: 1000 for shadow, 2000 for ab.'),
    budgetUsd: z
      .number()
      .positive()
      .max(1_000_000)
      .optional()
      .describe('Limit for the model calls of shadow runs. Required for shadow.'),
    limit: z
      .number()
      .min(0.005)
      .max(0.5)
      .optional()
      .describe('Share of errors at which the new arm steps back. Default: 0.05.'),
    by,
    reason,
    actId,
  })
  .refine(({ arms: [control, changed] }) => control?.name !== changed?.name, {
    error: 'expected two names that differ',
    path: ['arms'],
  })
  .refine(
    ({ mode, arms: [control] }) => mode !== 'shadow' || Object.keys(control?.settings ?? {}).length === 0,
    {
      error: 'expected none: the control of a shadow experiment is the live run',
      path: ['arms', 0, 'settings'],
    },
  )
  .refine(({ mode, budgetUsd }) => mode !== 'shadow' || budgetUsd !== undefined, {
    error: 'expected the limit in US dollars, which a shadow experiment needs',
    path: ['budgetUsd'],
  })
  .refine(({ mode, budgetUsd }) => mode === 'shadow' || budgetUsd === undefined, {
    error: 'expected none: runs of an A/B experiment use the budgets of live runs',
    path: ['budgetUsd'],
  });
export type CreateExperiment = z.infer<typeof createExperimentSchema>;

/** Body of `POST /experiments/{id}/start` and `stop`. */
export const experimentActSchema = z.strictObject({ by, reason, actId });
/** Body of `POST /experiments/{id}/share`. */
export const experimentShareSchema = experimentActSchema.extend({ share });
/** Body of `POST /experiments/{id}/promote`. */
export const experimentPromoteSchema = experimentActSchema.extend({
  arm: z.string().max(40).optional().describe('Name of the arm. Default: the new arm.'),
});

/** An experiment. */
export const experimentSchema = z.object({
  id: z.string(),
  name: z.string(),
  playbook: z.string(),
  mode: z.enum(EXPERIMENT_MODES),
  arms: z.array(experimentArmSchema).describe('The control and the new arm.'),
  share: z.number().describe('From 0 to 1.'),
  margin: z.number(),
  expectedCases: z.int(),
  budgetUsd: z.number().nullable(),
  limit: z.number(),
  state: z
    .enum(EXPERIMENT_STATES)
    .describe('`stepped_back`: the new arm failed; a person resets it before it can start again.'),
  author: z.string(),
  createdAt: z.string(),
  startedAt: z.string().nullable(),
  endedAt: z.string().nullable(),
});
export type ShownExperiment = z.infer<typeof experimentSchema>;

/** `GET /experiments`. */
export const experimentListSchema = z.object({
  experiments: z.array(experimentSchema).describe('The newest first.'),
  nextCursor: z.string().nullable(),
});
export type ExperimentList = z.infer<typeof experimentListSchema>;

/** Response of `POST /experiments/{id}/promote`. */
export const promotedExperimentSchema = experimentSchema.extend({
  configuration: jsonObjectSchema
    .nullable()
    .describe(
      'Settings of the arm other than prompts, for a file of CASEFILE_CONFIG. New runs use them only from there. null: there are none.',
    ),
});
export type PromotedExperiment = z.infer<typeof promotedExperimentSchema>;

const rate = z
  .object({
    x: z.int(),
    n: z.int(),
    rate: z.number().nullable().describe('null: there is no case.'),
    low: z.number().describe('95 % interval (Wilson).'),
    high: z.number(),
  })
  .describe('x of n.');
export type ShownRate = z.infer<typeof rate>;

const mean = z.object({
  n: z.int(),
  mean: z.number().nullable(),
  low: z.number().nullable().describe('95 % interval; null: fewer than two cases.'),
  high: z.number().nullable(),
});
export type ShownMean = z.infer<typeof mean>;

const valueRates = z
  .array(z.object({ value: z.string(), ...rate.shape }))
  .describe('The most frequent first.');

/** Decisions and costs of one arm. */
export const armFiguresSchema = z.object({
  arm: z.string(),
  cases: z.int().describe('Decided cases.'),
  outcomes: valueRates,
  dispositions: valueRates,
  right: rate.describe('Of the cases with feedback, those whose verdict agrees with it.'),
  citations: rate.describe('Of the cited ids, those that a source with this id supports.'),
  abstentions: rate.describe('Verdicts that need review.'),
  errors: rate.describe(
    'Runs that ended without a verdict. A shadow run that was not made is missing instead.',
  ),
  fallbacks: rate.describe('Verdicts that rules or another model gave instead of the own model.'),
  rounds: mean,
  tokens: mean,
  costUsd: mean.describe(
    'Calls of models that were made. An answer that was read from the record costs nothing.',
  ),
  latencyMs: mean.describe('Time from the creation of the run to its verdict.'),
});
export type ArmFigures = z.infer<typeof armFiguresSchema>;

/** Agreement of two runs of the same cases. */
export const agreementSchema = z.object({
  same: rate,
  kappa: z.number().nullable().describe("Cohen's kappa; null: undefined, because all cases have one label."),
  expected: z.number().describe('Agreement by chance.'),
  low: z.number().nullable().describe('95 % interval of kappa.'),
  high: z.number().nullable(),
  labels: z.array(z.string()),
  counts: z
    .array(z.array(z.int()))
    .describe('Confusion matrix: a row per label of the control, a column per label of the new arm.'),
});
export type ShownAgreement = z.infer<typeof agreementSchema>;

export const FINDINGS = [
  'running',
  'not_enough',
  'at_least_as_good',
  'worse',
  'inconclusive',
  'not_comparable',
] as const;

/** A case that the arms judge differently. */
export const differingCaseSchema = z.object({
  caseId: z.string(),
  controlRunId: z.string(),
  runId: z.string(),
  control: z.object({
    disposition: z.string(),
    action: z.string().nullable(),
    confidence: z.number().nullable(),
  }),
  changed: z.object({
    disposition: z.string(),
    action: z.string().nullable(),
    confidence: z.number().nullable(),
  }),
  right: z
    .enum(['control', 'changed', 'both', 'neither'])
    .nullable()
    .describe('By feedback; null: the case has none.'),
});
export type DifferingCase = z.infer<typeof differingCaseSchema>;

/** Comparison of the arms of an experiment. */
export const comparisonSchema = z.object({
  finding: z.enum(FINDINGS).describe('Result of the promotion rule. `running`: no case has ended yet.'),
  sentence: z.string().describe('The finding in one sentence.'),
  moreCases: z.int().describe('Reviewed cases that are still needed; 0: none, or not known.'),
  difference: z
    .object({
      reviewed: z.int().describe('Cases with feedback: pairs for shadow, cases of both arms for ab.'),
      value: z.number().describe('Share right of the new arm minus that of the control.'),
      low: z.number().describe('Bounds of the confidence sequence, which decide.'),
      high: z.number(),
      newcombeLow: z.number().describe('95 % interval (Newcombe), for information.'),
      newcombeHigh: z.number(),
    })
    .describe('By feedback.'),
  arms: z.array(armFiguresSchema).describe('The control and the new arm.'),
  agreement: z
    .object({ outcome: agreementSchema, disposition: agreementSchema })
    .nullable()
    .describe('Shadow: both arms judge the same cases. null: A/B.'),
  noise: z
    .object({ outcome: agreementSchema, disposition: agreementSchema })
    .nullable()
    .describe(
      'Shadow: the control judged again on a part of the cases, with new answers of its models. null: A/B.',
    ),
  missing: z
    .object({ ...rate.shape, reasons: z.array(z.object({ reason: z.string(), cases: z.int() })) })
    .describe('Shadow runs that ended without a verdict. They are not counted as agreement.'),
  underWay: z.int().describe('Runs that have not ended.'),
  sampleRatio: z
    .object({
      expected: z.number().describe('Share of the new arm since the share changed last.'),
      cases: z.array(z.int()).describe('Cases of the control and of the new arm.'),
      checkedAt: z.int().nullable().describe('Count of cases at the last check; null: fewer than 100 cases.'),
      p: z.number().nullable(),
      fits: z.boolean(),
    })
    .nullable()
    .describe('A/B: whether the counts of the arms fit the share. null: shadow.'),
  differing: z.array(differingCaseSchema).describe('At most 200; those with feedback first. Empty for ab.'),
  differingTotal: z.int(),
});
export type Comparison = z.infer<typeof comparisonSchema>;

/** `GET /experiments/{id}`. */
export const experimentDetailSchema = experimentSchema.extend({
  history: z
    .array(
      z.object({
        actId: z.string(),
        type: z.string().describe('Such as `experiment.started`.'),
        by: z.string(),
        reason: z.string(),
        share: z.number().nullable(),
        arm: z.string().nullable(),
        at: z.string(),
      }),
    )
    .describe('The last 100 acts of people, the newest first.'),
  costUsd: z.number().describe('Cost of the runs of the experiment so far.'),
  comparison: comparisonSchema,
});
export type ExperimentDetail = z.infer<typeof experimentDetailSchema>;
