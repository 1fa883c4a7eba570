import { z } from 'zod';

/** Value of an experiment's flag when an alert was accepted. */
export const flagDecisionSchema = z.object({
  /** Name of the flag: `experiment.ID`. */
  flag: z.string(),
  /** The arm. Without a split it is the control. */
  variant: z.string(),
  /** A reason of OpenFeature. `SPLIT`: the bucket decided. Any other: the run belongs to no arm. */
  reason: z.string(),
  /** Number of changes of the flag. null: the flag was not read. */
  version: z.number().int().nullable(),
  /** Bucket of the case, from 0 to 9,999. null: no bucket was computed. */
  bucket: z.number().int().nullable(),
});
export type FlagDecision = z.infer<typeof flagDecisionSchema>;

/** The arm of an experiment that a run belongs to. */
export const armOfRunSchema = z.object({ id: z.string(), arm: z.string() });
export type ArmOfRun = z.infer<typeof armOfRunSchema>;
