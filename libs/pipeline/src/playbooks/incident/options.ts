import { z, type RunSettings } from '@casefile/contracts';
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
    /** Is a second model asked for what speaks against the claims, before a verdict that closes an alert or pages? T-02. */
    crossExamine: z.boolean().default(true),
    /** Weight of contradicting readings from which a model's false alarm needs review. T-01. */
    contradictedFrom: z.number().min(0.1).max(100).default(1),
    /** Look-ups of the symptom that a false alarm of a warning needs, one of them after the alert began. T-03. */
    falseAlarmLookUps: z.number().int().min(1).max(20).default(2),
    /** The highest confidence of a cause that rests on one look-up of one tool. T-03. */
    oneLookUpConfidence: z.number().min(0).max(1).default(0.7),
  }),
);
export type IncidentOptions = ReturnType<typeof options.read>;

/** The version of the playbook from which claims are cross-examined. Replays of earlier runs are judged as they were. */
export const EXAMINED_SINCE = 2;

/** Are the claims of this run cross-examined, and its false alarms checked by more than a quote? */
export const isExamined = ({ playbookVersion }: Pick<RunSettings, 'playbookVersion'>): boolean =>
  Number(playbookVersion) >= EXAMINED_SINCE;
