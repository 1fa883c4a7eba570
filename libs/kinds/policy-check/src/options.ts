import { z } from '@casefile/contracts';
import { ABSTAIN_BELOW } from './citations/verify-citations.js';
import { defineOptions } from '@casefile/pipeline/options';
import { turnOptionsSchema } from '@casefile/pipeline/strategies/react/controller';
import { MOST_PLANTED, PLANTED_BY_DEFAULT } from '@casefile/pipeline/parts/planted-claims';

/** Options of policy-check. Configuration can override them. */
export const options = defineOptions(
  'policy-check',
  turnOptionsSchema.extend({
    /** Confidence below which a criterion stays undecided. */
    abstainBelow: z.number().min(0).max(1).default(ABSTAIN_BELOW),
    /** Whether the confidence is limited to the share of verified citations. */
    capByShare: z.boolean().default(true),
    /** First wait between attempts of a call, in milliseconds. It doubles with each attempt. */
    firstWaitMs: z.number().int().min(0).max(60_000).default(1_000),
    /** Random share of a wait, 0 to 1. */
    waitJitter: z.number().min(0).max(1).default(0.2),
    /** Whether a second question to a model tests an answer that the rules do not reach on their own. */
    crossExamine: z.boolean().default(true),
    /** False claims that are planted in an examination to test the examiner. */
    plantedClaims: z.number().int().min(0).max(MOST_PLANTED).default(PLANTED_BY_DEFAULT),
    /** Weight of contradicting findings from which a model's answer is rejected. */
    contradictedFrom: z.number().min(0.1).max(100).default(1),
  }),
  {
    // In production a limit ends the check; elsewhere it only warns.
    production: { limitMode: 'hard' },
  },
);
