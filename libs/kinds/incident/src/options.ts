import { z } from '@casefile/contracts';
import { defineOptions } from '@casefile/pipeline/options';
import { pastCasesOption } from '@casefile/pipeline/past-cases';
import { turnOptionsSchema } from '@casefile/pipeline/strategies/react/controller';
import { MOST_PLANTED, PLANTED_BY_DEFAULT } from '@casefile/pipeline/parts/planted-claims';

/** Options of incident. Configuration can override them. */
export const options = defineOptions(
  'incident',
  turnOptionsSchema.extend({
    /** Tokens of an investigation above which a warning is logged. */
    tokenLimit: z.number().int().min(100).default(60_000),
    /** Tokens of an investigation above which no further look-up is requested. */
    hardTokenLimit: z.number().int().min(100).default(150_000),
    /** Maximum cost of an investigation in US dollars. */
    costLimitUsd: z.number().positive().default(0.5),
    /** Whether the model writes an interim summary after each round, for people who follow the run. */
    partialAnalysis: z.boolean().default(true),
    /** Least confidence to page for an incident with impact now. */
    pageFrom: z.number().min(0).max(1).default(0.7),
    /** Names of alerts that always fire by design, to show that alerting works. They need no action. */
    alwaysFiring: z
      .array(z.string().min(1).max(200))
      .max(100)
      .default(['Watchdog', 'InfoInhibitor', 'DeadMansSwitch', 'AlwaysFiring']),
    /** Whether a second question to a model tests the claims before a verdict closes an alert or pages. */
    crossExamine: z.boolean().default(true),
    /** False claims that are planted in an examination to test the examiner. */
    plantedClaims: z.number().int().min(0).max(MOST_PLANTED).default(PLANTED_BY_DEFAULT),
    /** Weight of contradicting readings from which a model's false alarm needs review. */
    contradictedFrom: z.number().min(0.1).max(100).default(1),
    /** Look-ups of the symptom that a false alarm of a warning needs, one of them after the alert began. */
    falseAlarmLookUps: z.number().int().min(1).max(20).default(2),
    /** Highest confidence of a cause that rests on one look-up of one tool, or that is not separated from a rival. */
    oneLookUpConfidence: z.number().min(0).max(1).default(0.7),
    pastCases: pastCasesOption,
  }),
);
export type IncidentOptions = ReturnType<typeof options.read>;
