import { z } from '@casefile/contracts';
import { defineOptions } from '../../options.js';
import { turnOptionsSchema } from '../../strategies/react/controller.js';

/** Figures of incident; configuration may lay others over them. */
export const options = defineOptions(
  'incident',
  turnOptionsSchema.extend({
    /** S2-43: tokens of an investigation past which it is warned. */
    tokenLimit: z.number().int().min(100).default(60_000),
    /** S2-43: and past which no further look-up is asked for. */
    hardTokenLimit: z.number().int().min(100).default(150_000),
    /** US dollars of an investigation. */
    costLimitUsd: z.number().positive().default(0.5),
    /** Is the model asked what it makes of things after each round, for those who watch? S2-43. */
    partialAnalysis: z.boolean().default(true),
    /** S2-44: from this confidence on an incident with impact now is paged. */
    pageFrom: z.number().min(0).max(1).default(0.7),
    /** Names of alerts that always fire by design, to show that alerting works: nothing is to be done about them. */
    alwaysFiring: z
      .array(z.string().min(1).max(200))
      .max(100)
      .default(['Watchdog', 'InfoInhibitor', 'DeadMansSwitch', 'AlwaysFiring']),
  }),
);
export type IncidentOptions = ReturnType<typeof options.read>;
