import { z } from 'zod';
import { QUALITY_GROUPS } from './ports/quality-figures.js';
import { confidenceOriginSchema } from './rollout/recalibration.js';

const count = z.int();

/** A share of counted verdicts with its 95 % interval. */
export const qualityShareSchema = z
  .object({
    part: count,
    of: count,
    share: z.number().nullable().describe('`part` / `of`, 0 to 1; null: nothing was counted.'),
    low: z.number().nullable().describe('Lower end of the 95 % interval (Wilson).'),
    high: z.number().nullable().describe('Upper end of the 95 % interval (Wilson).'),
  })
  .describe('A share of counted verdicts, from 0 to 1.');
export type QualityShare = z.infer<typeof qualityShareSchema>;

const interval = z.object({ value: z.number(), low: z.number(), high: z.number() });

const figures = {
  playbook: z.string(),
  verdicts: count,
  labels: count.describe('Verdicts on which a person gave feedback; the newest feedback counts.'),
  accuracy: qualityShareSchema.describe('Labelled verdicts that the person found right.'),
  estimatedAccuracy: interval
    .nullable()
    .describe(
      'Share of all verdicts that is right, with its 95 % interval: from the labels of verdicts that waited for a person and of those drawn at random from the others, each part by its size. null: a part has no labels.',
    ),
  precisionOfAct: qualityShareSchema.describe('Labelled verdicts with the disposition `act` that are right.'),
  reviewShare: qualityShareSchema.describe('Verdicts that wait for a person (disposition `review`).'),
  degradedShare: qualityShareSchema.describe('Verdicts based on a fallback or incomplete input.'),
  citationAccuracy: qualityShareSchema.describe('Cited evidence that is on the record.'),
  costUsdPerVerdict: z.number().nullable().describe('Known cost of the model calls; null: no verdict.'),
  unpricedCalls: count.describe('Model calls without a known price, left out of the cost.'),
  tokensPerVerdict: z.number().nullable(),
  p50Ms: z.number().describe('Milliseconds from acceptance to verdict, median.'),
  p95Ms: z.number().describe('Milliseconds from acceptance to verdict, 95th percentile.'),
};

/** Figures of one kind, or of one group of it. */
export const qualityRowSchema = z.object({
  ...figures,
  group: z.string().nullable().describe('Value of the column in `by`; null: none.'),
});
export type QualityRow = z.infer<typeof qualityRowSchema>;

/** Figures of one kind in one hour or day. */
export const qualityPeriodSchema = z.object({ ...figures, at: z.string().describe('Start of the period.') });
export type QualityPeriod = z.infer<typeof qualityPeriodSchema>;

/** How well the confidence of one source agrees with people's labels. Sources are never mixed. */
export const shownCalibrationSchema = confidenceOriginSchema.extend({
  recalibration: z.int().nullable().describe('Version that gave the confidence; null: it is as stated.'),
  labels: count,
  error: interval
    .nullable()
    .describe('Expected calibration error, debiased, with its 95 % interval; null: fewer than 100 labels.'),
  brier: z
    .object({
      score: z.number(),
      miscalibration: z.number(),
      discrimination: z.number(),
      uncertainty: z.number(),
    })
    .nullable()
    .describe('Mean squared error: miscalibration - discrimination + uncertainty; null: too few labels.'),
  bins: z
    .array(
      z.object({
        from: z.number(),
        to: z.number(),
        labels: count,
        stated: z.number().describe('Mean stated confidence.'),
        observed: z.number().describe('Share that was right.'),
        low: z.number(),
        high: z.number(),
      }),
    )
    .describe('Bars of the reliability diagram, lowest confidence first; empty: fewer than 100 labels.'),
  actFrom: z
    .number()
    .nullable()
    .describe(
      'Confidence from which at most 5 % of what is acted on is wrong, with a probability of 95 %; null: the labels show none.',
    ),
  acting: z
    .object({
      from: z.number().describe('As `actFrom`.'),
      actedOn: count.describe('Labelled verdicts at or above it.'),
      wrong: count.describe('Of these, the wrong ones.'),
      recall: z.number().describe('Share of the right verdicts at or above it.'),
      reviewLoad: z.number().describe('Share of all labelled verdicts below it, which people would review.'),
    })
    .nullable()
    .describe('What the labels expect of a limit at `actFrom`; null: the labels show none.'),
  age: z
    .object({
      oldest: z.string(),
      newest: z.string(),
      median: z.string(),
      isCurrent: z
        .boolean()
        .describe('Whether the newest verdict of the kind has the same strategy, prompts and model.'),
    })
    .nullable()
    .describe('Times of the labels.'),
  drift: z
    .object({
      older: qualityShareSchema.describe('Right in the older half of the verdicts.'),
      newer: qualityShareSchema,
      low: z.number().describe('95 % interval (Newcombe) of the newer share minus the older one.'),
      high: z.number(),
      isDrift: z.boolean().describe('Whether the interval excludes 0.'),
    })
    .nullable()
    .describe('null: fewer than 100 labels.'),
});
export type ShownCalibration = z.infer<typeof shownCalibrationSchema>;

/** Look-ups of one tool that gave no answer. */
export const missingLookUpSchema = z.object({
  playbook: z.string(),
  tool: z.string().describe('Name of the tool; also one that does not exist and that a model asked for.'),
  cases: count.describe('Cases with at least one look-up of the tool that gave no answer.'),
  reasons: z
    .array(z.object({ reason: z.string().describe('Reason code.'), cases: count }))
    .describe('Cases per reason, most first. A case can have several.'),
});

/** A model as examiner of claims. */
export const shownExaminerSchema = z.object({
  provider: z.string(),
  model: z.string(),
  examinations: count.describe('Cross-examinations that it answered.'),
  plantedSupported: qualityShareSchema.describe(
    'Planted claims that it called supported. Each is false, so an examiner that reads the sources supports none.',
  ),
  agreement: qualityShareSchema.describe(
    'Labelled verdicts on which the examiner and the person agree: it called all claims supported and the verdict is right, or neither.',
  ),
  isDoubtful: z.boolean().describe('Whether it supported more than 10 % of at least 20 planted claims.'),
});
export type ShownExaminer = z.infer<typeof shownExaminerSchema>;

/** Result of one labelled set, as `casefile eval --out` wrote it. Its figures mean the same as those of a row. */
export const shownEvaluationSchema = z.object({
  playbook: z.string(),
  set: z.string().describe('Name of the labelled set.'),
  unseen: z.boolean().describe('Whether the set was kept from the people who work on rules and prompts.'),
  by: z.string().describe('What judged: `rules`, or the names of the models.'),
  strategy: z.string(),
  date: z.string().describe('Day of the evaluation, YYYY-MM-DD.'),
  file: z.string().describe('Name of the file in `docs/results`.'),
  verdicts: count,
  labels: count.describe('Labels of the set. A case can have several.'),
  accuracy: qualityShareSchema.describe(
    'Labels that were answered right; a question left open is not right. No person was asked.',
  ),
  leftOpen: qualityShareSchema.describe('Labels without an answer.'),
  classes: z
    .array(z.object({ name: z.string(), precision: qualityShareSchema, recall: qualityShareSchema }))
    .describe('Precision and recall of each label of the set.'),
  reviewShare: qualityShareSchema.describe('Verdicts with the disposition `review`.'),
  degradedShare: qualityShareSchema.describe('Verdicts based on a fallback or incomplete input.'),
  costUsdPerVerdict: z.number().nullable().describe('null: no call has a known price.'),
  unpricedCalls: count,
  tokensPerVerdict: z.number().nullable(),
  p50Ms: z.number().nullable().describe('On the machine of the evaluation.'),
  p95Ms: z.number().nullable(),
});
export type ShownEvaluation = z.infer<typeof shownEvaluationSchema>;

/** `GET /quality`. */
export const qualitySchema = z.object({
  quality: z.array(qualityRowSchema).describe('Most verdicts first.'),
  series: z.array(qualityPeriodSchema).describe('Per kind and period, oldest first.'),
  step: z.enum(['hour', 'day']).describe('Length of the periods: hours up to three days, then days.'),
  labelsBeforeCurrent: qualityShareSchema.describe(
    'Labels of verdicts by another strategy, set of prompts or model than the newest verdict of their kind.',
  ),
  calibration: z.array(shownCalibrationSchema).describe('One entry per source of a confidence.'),
  missing: z
    .array(missingLookUpSchema)
    .describe('Look-ups that gave no answer in the most cases: at most 20, most cases first.'),
  examiners: z
    .array(shownExaminerSchema)
    .describe('Models that answered cross-examinations, most examinations first.'),
  evaluations: z
    .array(shownEvaluationSchema)
    .describe('Results of labelled sets, of any time: by kind and set, newest first.'),
  from: z.string(),
  to: z.string(),
  nextCursor: z.null().describe('Always null: the list is complete.'),
});
export type Quality = z.infer<typeof qualitySchema>;

const time = z.iso.datetime({ offset: true });

/** Query of `GET /quality`. */
export const qualityQuerySchema = z.strictObject({
  playbook: z.string().max(100).optional().describe('Kind of the cases. Default: all.'),
  from: time.optional().describe('Decided at or after this time. Default: 30 days before `to`.'),
  to: time.optional().describe('Decided before this time. Default: now.'),
  by: z.enum(QUALITY_GROUPS).optional().describe('Default: one row per kind.'),
});
