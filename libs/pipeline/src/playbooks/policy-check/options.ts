import { z } from '@casefile/contracts';
import { ABSTAIN_BELOW } from './citations/verify-citations.js';
import { defineOptions } from '../../options.js';
import { turnOptionsSchema } from '../../strategies/react/controller.js';

/** Figures of policy-check; configuration may lay others over them. */
export const options = defineOptions(
  'policy-check',
  turnOptionsSchema.extend({
    /** S4-22: below this a criterion is left undecided. */
    abstainBelow: z.number().min(0).max(1).default(ABSTAIN_BELOW),
    /** Limits the confidence to the share of verified citations. S4-21. */
    capByShare: z.boolean().default(true),
    /** S4-30: the first wait between attempts of a call; it doubles. */
    firstWaitMs: z.number().int().min(0).max(60_000).default(1_000),
    /** The share of a wait that is drawn by chance, 0 to 1. */
    waitJitter: z.number().min(0).max(1).default(0.2),
  }),
  {
    // S4-33: elsewhere a limit warns.
    production: { limitMode: 'hard' },
  },
);
