import { z } from 'zod';
import { actBySchema, actIdSchema, actReasonSchema } from './act.js';
import { readByAll } from './access/field-class.js';
import { jsonObjectSchema } from './json.js';
import { settingsChangeSchema } from './ops-api-rerun.js';
import { EXPERIMENT_MODES, EXPERIMENT_STATES } from './ports/experiments.js';
import { confidenceChanges } from './rollout/recalibration.js';
import { comparisonSchema } from './ops-api-comparisons.js';

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
    by: actBySchema,
    reason: actReasonSchema,
    actId: actIdSchema,
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
export const experimentActSchema = z.strictObject({
  by: actBySchema,
  reason: actReasonSchema,
  actId: actIdSchema,
});
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
  configuration: readByAll(jsonObjectSchema, 'Settings of the configuration.')
    .nullable()
    .describe(
      'Settings of the arm other than prompts, for a file of CASEFILE_CONFIG. New runs use them only from there. null: there are none.',
    ),
});
export type PromotedExperiment = z.infer<typeof promotedExperimentSchema>;

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
