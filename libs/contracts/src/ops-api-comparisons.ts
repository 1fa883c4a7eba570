import { z } from 'zod';

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
