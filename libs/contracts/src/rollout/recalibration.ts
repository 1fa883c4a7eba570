import { z } from 'zod';

/** Source of a confidence. Labels of different sources are never added. */
export const confidenceOriginSchema = z.object({
  playbook: z.string(),
  strategy: z.string(),
  prompts: z.string().describe('Ids of the prompts with commas between them; empty: none.'),
  model: z.string().nullable(),
  language: z
    .string()
    .nullable()
    .describe('Language of the message, such as `en`; null: the run noted none.'),
  confidenceSource: z
    .string()
    .describe('Who stated the confidence: `llm`, `heuristic`, `critic`, `calibrated`.'),
});
export type ConfidenceOrigin = z.infer<typeof confidenceOriginSchema>;

/** A monotone function from stated to recalibrated confidence, as a run is frozen with it. */
export const frozenRecalibrationSchema = z.object({
  /** Number of the version. */
  version: z.number().int(),
  /** The source that it was learned from. Confidences of other sources stay as they are. */
  of: confidenceOriginSchema.omit({ playbook: true }),
  /** Points through which the function goes, lines between them, level outside. */
  points: z.array(z.object({ stated: z.number(), confidence: z.number() })),
});
export type FrozenRecalibration = z.infer<typeof frozenRecalibrationSchema>;

/** Settings of an arm about the confidence of its verdicts. */
export const confidenceChanges = {
  recalibration: z
    .int()
    .min(1)
    .optional()
    .describe('Version of a recalibration. Verdicts then have both confidences.'),
  actFrom: z
    .number()
    .min(0)
    .max(1)
    .optional()
    .describe('Verdicts below this confidence need review instead of acting or dismissing.'),
};

/** Returns the flag that keeps a promoted recalibration in force for new runs. */
export const recalibrationFlag = (version: number): string => `recalibration.${version}`;

/** Returns whether a recalibration was learned from verdicts with this strategy, model and these prompts. */
export function isLearnedFrom(
  { of }: Pick<FrozenRecalibration, 'of'>,
  settings: { strategy: string; model: string; promptIds: Readonly<Record<string, string>> },
): boolean {
  const ids = Object.values(settings.promptIds);
  const prompts = of.prompts === '' ? [] : of.prompts.split(',');
  const isOfModel = of.model === settings.model && of.strategy === settings.strategy;
  return isOfModel && prompts.every((id) => ids.includes(id));
}
