import { z } from 'zod';
import { actBySchema, actIdSchema, actReasonSchema, type Act } from './act.js';
import type { ArmHealth, ArmOutcome, ArmPair } from './rollout/arm-health.js';
import type { StepBackCause } from './rollout/step-back.js';
import type { FlagState } from './ports/rollout.js';

const reason = actReasonSchema.describe('Why, for the history and the event log.');

/** A flag as the API shows it. */
export const shownFlagSchema = z.object({
  name: z.string().describe('`experiment.` and the id of the experiment whose new arm the flag switches.'),
  variant: z.string().describe('`on`: the new arm takes cases. `off`: new runs use the normal settings.'),
  version: z.int().describe('Number of the changes of the flag. Runs are frozen with it.'),
  by: z.string().describe('Who changed it last; `rule`: an automatic step back.'),
  reason: z.string(),
  latched: z.boolean().describe('Whether an automatic step back set it. Only a reset ends that.'),
  changedAt: z.string(),
});
export type ShownFlag = z.infer<typeof shownFlagSchema>;

/** `GET /flags`. */
export const flagListSchema = z.object({
  flags: z.array(shownFlagSchema),
  nextCursor: z.string().nullable(),
});
export type FlagList = z.infer<typeof flagListSchema>;

/** Body of `POST /flags/{name}`. */
export const setFlagSchema = z.strictObject({
  variant: z.enum(['on', 'off']).describe('In force for new runs within 5 s in every service.'),
  by: actBySchema,
  reason,
  actId: actIdSchema,
});

/** Body of `POST /experiments/{id}/reset`. */
export const resetExperimentSchema = z.strictObject({ by: actBySchema, reason, actId: actIdSchema });

/** Returns the name of the flag that switches the new arm of an A/B experiment. */
export function experimentFlag(experimentId: string): string {
  return `experiment.${experimentId}`;
}

/** Position in the order of events. */
export interface EventOrder {
  xid: string;
  id: string;
}

/** A run of an arm that has ended. */
export interface EndedArmRun {
  runId: string;
  arm: string;
  event: string;
  at: string;
  /** Whether it was quarantined instead of decided. */
  isQuarantined: boolean;
  /** Reason code with which a draft fell back. null: no draft did. */
  fallback: string | null;
  /** Whether another model than its own answered. */
  isOtherModel: boolean;
}

/** A recorded step back. */
export interface StepBack {
  flag: string;
  experimentId: string;
  arm: string;
  cause: StepBackCause;
  health: ArmHealth;
}

/** An experiment whose arms are watched, or that stepped back and was not reset. */
export interface WatchedExperiment extends ArmPair {
  id: string;
  name: string;
  flag: FlagState;
}

/** Flags, and the health of the arms that flags switch. */
export interface Flags {
  /** Lists all flags by name. */
  list(): Promise<FlagState[]>;
  /**
   * Sets the variant of a flag, in one transaction with its event. A repeated act changes nothing.
   * @throws CasefileError `conflict` if the flag is latched and the variant is another one.
   */
  set(flag: { name: string; variant: string } & Act): Promise<FlagState>;
  /**
   * Unlatches the flag of an experiment that stepped back, clears the score of its arms and stops it, so that a
   * person can start it again. @returns null if there is no such experiment.
   * @throws CasefileError `conflict` if it has not stepped back.
   */
  reset(experimentId: string, act: Act): Promise<FlagState | null>;
  /** Returns the A/B experiments whose new arm takes cases, and those that stepped back and were not reset. */
  watched(): Promise<WatchedExperiment[]>;
  /**
   * Returns the position before the first event that a run of the experiment can have. null: no event is
   * newer.
   */
  startOf(experimentId: string): Promise<EventOrder | null>;
  /**
   * Reads the next events.
   * @returns the ended runs of the experiment that were accepted since its flag was last set, and the
   * position to continue from; null: there are no more events yet.
   */
  endedRuns(
    experimentId: string,
    after: EventOrder,
    limit: number,
  ): Promise<{ runs: EndedArmRun[]; place: EventOrder } | null>;
  /**
   * Counts outcomes in order, in one transaction. Outcomes that were already counted are skipped. If the new
   * arm steps back, the same transaction switches its flag off, latches it, ends the experiment and records
   * the event.
   */
  count(
    experimentId: string,
    outcomes: readonly (ArmOutcome & { arm: string })[],
    isOutage: (fault: string) => boolean,
  ): Promise<StepBack | null>;
}
