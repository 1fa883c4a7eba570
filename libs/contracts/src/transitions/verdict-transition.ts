import type { VerdictChange } from '../reviews/proposed-verdict.js';
import { ALL_RULES, type CaseRule, type DisabledRules } from './rules.js';

/** The verdict of a run, and the state of its case. */
export interface DecidedRun {
  /** Whether the case shows this run or waits for its verdict. */
  leads: boolean;
  /** Whether another run has decided the case since this run was opened. */
  isOvertaken: boolean;
  /** Whether verdicts of the run are delivered. Proposals, shadow runs and measurements are not. */
  isOutward: boolean;
  /**
   * Difference from the verdict that receivers have of the same occurrence. null: they have none, or a silence
   * withheld it.
   */
  change: VerdictChange | null;
}

/** Effect of a verdict of a run. */
export interface VerdictTransition {
  /** Whether the case shows the verdict. */
  isShown: boolean;
  /** Whether receivers get the verdict. */
  leaves: boolean;
  /** The rule that keeps the verdict from leaving. null: it leaves, or it is not delivered by the settings of the run. */
  rule: CaseRule | null;
}

/** Returns the effect of a verdict of a run on its case and on receivers. */
export function verdictTransition(
  { leads, isOvertaken, isOutward, change }: DecidedRun,
  disabled: DisabledRules = ALL_RULES,
): VerdictTransition {
  const silent = (rule: CaseRule | null): VerdictTransition => ({ isShown: leads, leaves: false, rule });
  if (!isOutward) return silent(null);
  if (!leads && isOvertaken && !disabled.has('superseded')) return silent('superseded');
  if (change !== null && change !== 'message' && !disabled.has('unchanged')) return silent('unchanged');
  return { isShown: leads, leaves: true, rule: null };
}
