import { z, type RunSettings } from '@casefile/contracts';

/** Figures of a loop of turns; a playbook's options lay others over them. */
export const turnOptionsSchema = z.object({
  /** S4-03: after so many turns one last call may only finish. */
  maxIterations: z.number().int().min(1).max(50).default(10),
  /** Calls of one turn; more are not made, and the model is told. */
  maxCallsPerTurn: z.number().int().min(1).max(32).default(6),
  /** S4-33: tokens of one evaluation, input and output. */
  tokenLimit: z.number().int().min(100).default(6_000),
  /** US dollars of one evaluation. */
  costLimitUsd: z.number().positive().default(0.05),
  /** `soft` warns, `hard` ends the loop with a call that may only finish. */
  limitMode: z.enum(['soft', 'hard']).default('soft'),
  /** How long a turn's tools may take before what is missing counts as failed. */
  toolWaitMs: z.number().int().min(1).default(60_000),
  /** For one call of the model. */
  callTimeoutMs: z.number().int().min(1).default(60_000),
  /**
   * How long outages of the provider are waited out before one counts, from the first call of an evaluation on: the time
   * that it was parked for is counted too. Only where a run waits at all.
   */
  patienceMs: z.number().int().min(0).default(600_000),
  maxOutputTokens: z.number().int().min(100).default(1_500),
  /** After a failure of the model: leave it undecided, or let the rules decide, which is marked. S4-41. */
  fallback: z.enum(['none', 'heuristic']).default('heuristic'),
});
export type TurnOptions = z.infer<typeof turnOptionsSchema>;

/** The figures a run was frozen with. */
export const turnOptionsOf = ({ options }: RunSettings): TurnOptions => turnOptionsSchema.parse(options);
