import {
  ALARM_SCORE,
  NO_FAULTS,
  scoreAfter,
  stepBackCause,
  type ArmScore,
  type StepBackCause,
  type StepBackRule,
} from './step-back.js';

/** Outcomes that are kept per arm. */
const KEPT = 20;
/** Score from which a control that recently had a fault counts as failing: a third of the alarm score. */
const FAILING_SCORE = 5;

/** Outcome of a run of an arm. */
export interface ArmOutcome {
  runId: string;
  /** Id of the event that ended the run. Outcomes are counted in the order of these events. */
  event: string;
  /** ISO 8601. */
  at: string;
  /** Reason code of the fault: an error, or a fallback of the run. null: no fault. */
  fault: string | null;
  /** Whether the control failed at the same time, so that the fault is not counted against the arm. */
  isShared?: true;
}

/** The state of one arm. */
export interface ArmHealth extends ArmScore {
  arm: string;
  cases: number;
  /** The last 20 outcomes, the oldest first. */
  last: ArmOutcome[];
}

export const newArmHealth = (arm: string): ArmHealth => ({ ...NO_FAULTS, arm, cases: 0, last: [] });

/** The two arms of an A/B experiment. */
export interface ArmPair {
  control: ArmHealth;
  changed: ArmHealth;
}

/** Facts that the rule needs in addition to the outcomes. */
export interface ArmRule {
  rule: StepBackRule;
  /** Whether both arms ask the same provider and model. */
  asksSameModel: boolean;
  /** Whether a fault with this reason code means that a provider is unavailable. */
  isOutage(fault: string): boolean;
}

/**
 * Counts one outcome of the changed arm or of the control.
 *
 * A fault is not counted against the changed arm while the control fails too, because a step back would not
 * help. The control fails if its latest outcome is a fault, or if its score is high and it recently had a
 * fault. Its outcomes count only if they are newer than the last 20 of the changed arm. If there are none, as
 * at a share of 100 %, an outage of a provider is attributed to both arms if both use the same model.
 *
 * A streak of faults causes a step back only after the control had a case without a fault since the streak
 * began. Otherwise an outage that the changed arm meets first would be attributed to that arm alone. If the
 * control has no case meanwhile, the score decides, except for an outage of a provider that both arms use.
 * @returns why the changed arm steps back; null: it does not.
 */
export function countOutcome(
  { control, changed }: ArmPair,
  arm: string,
  outcome: ArmOutcome,
  arms: ArmRule,
): ArmPair & { cause: StepBackCause | null } {
  const { rule } = arms;
  const isFault = outcome.fault !== null;
  if (arm === control.arm) {
    const counted = withOutcome({ ...control, ...cappedScore(scoreAfter(control, isFault, rule)) }, outcome);
    const isExplained = isFault && isUnclear(recent(control, changed), changed);
    return { control: counted, changed: isExplained ? withoutStreak(changed, rule) : changed, cause: null };
  }
  if (!isFault) {
    // A streak that reached the alarm without a step back was never shown to be caused by this arm alone.
    const before = changed.cusum >= ALARM_SCORE ? withoutStreak(changed, rule) : changed;
    return {
      control,
      changed: withOutcome({ ...before, ...scoreAfter(before, false, rule) }, outcome),
      cause: null,
    };
  }
  if (isShared({ control, changed }, outcome, arms))
    return { control, changed: withOutcome(changed, { ...outcome, isShared: true }), cause: null };
  const counted = withOutcome({ ...changed, ...scoreAfter(changed, true, rule) }, outcome);
  const cause = stepBackCause(counted, rule);
  if (cause === null || !isUnclear(recent(control, changed), counted))
    return { control, changed: counted, cause };
  const mayBeShared = arms.asksSameModel && arms.isOutage(outcome.fault ?? '');
  const byRate = mayBeShared ? null : stepBackCause({ ...counted, consecutive: 0 }, rule);
  return { control, changed: counted, cause: byRate };
}

/** Returns the arm without the faults of its streak, which are attributed to both arms. */
function withoutStreak(changed: ArmHealth, { up }: StepBackRule): ArmHealth {
  const { consecutive, cusum, last } = changed;
  const from = last.length - consecutive;
  return {
    ...changed,
    consecutive: 0,
    cusum: Math.max(0, cusum - consecutive * up),
    last: last.map((one, at) => (at < from ? one : { ...one, isShared: true })),
  };
}

function withOutcome(health: ArmHealth, outcome: ArmOutcome): ArmHealth {
  return { ...health, cases: health.cases + 1, last: [...health.last, outcome].slice(-KEPT) };
}

// The control never steps back; its score is only compared with FAILING_SCORE. Without an upper limit, a long
// outage would keep the score high long after the outage ended.
const cappedScore = (score: ArmScore): ArmScore => ({
  ...score,
  cusum: Math.min(score.cusum, 2 * FAILING_SCORE),
});

/** Returns the outcomes of the control since the oldest kept outcome of the changed arm. */
function recent(control: ArmHealth, { last: [oldest] }: ArmHealth): ArmOutcome[] {
  return control.last.filter(({ at }) => oldest === undefined || at >= oldest.at);
}

function isShared({ control, changed }: ArmPair, { fault }: ArmOutcome, arms: ArmRule): boolean {
  const outcomes = recent(control, changed);
  const latest = outcomes.at(-1);
  if (latest === undefined)
    return fault !== null && arms.asksSameModel && arms.isOutage(fault) && changed.cases >= KEPT;
  if (latest.fault !== null) return true;
  return control.cusum >= FAILING_SCORE && outcomes.some((one) => one.fault !== null);
}

/** Returns whether nothing shows yet that the control worked during the streak of the changed arm. */
function isUnclear(control: readonly ArmOutcome[], { last, consecutive }: ArmHealth): boolean {
  const [first] = last.slice(-consecutive);
  if (control.length === 0 || first === undefined || consecutive === 0) return false;
  return !control.some(({ at, fault }) => fault === null && at >= first.at);
}

/** Returns whether both arms fail now: faults of the changed arm are not counted because the control fails too. */
export function areBothFailing({ control, changed }: ArmPair): boolean {
  const isFailing = control.consecutive > 0 || control.cusum >= FAILING_SCORE;
  return isFailing && changed.last.slice(-3).filter(({ isShared: shared }) => shared).length >= 2;
}
