import {
  firstOccurrence,
  meetOccurrence,
  reportedGrade,
  type KnownOccurrences,
  type OccurrenceEffect,
} from '../intake/occurrence.js';
import type { AlertOccurrence, IgnoredReason } from '../ports/runs.js';
import { higherGrade, type Grade } from './grade.js';
import { ALL_RULES, type CaseRule, type DisabledRules } from './rules.js';

/** Time for which the end of an unknown alert is remembered, in milliseconds. */
export const RECOVERY_REMEMBERED_MS = 6 * 3_600_000;

/**
 * Time in milliseconds within which a start without a time counts as one that was overtaken by its end. Longer, it
 * may be the first failure after a routine report that all is well.
 */
const OVERTAKEN_MS = 30_000;

/** The end of an alert that arrived before any start of it. */
export interface RememberedRecovery {
  /** Start of the occurrence that ended, in milliseconds since the epoch. null: the sender did not report it. */
  startedAt: number | null;
  /** Arrival, in milliseconds since the epoch. */
  at: number;
  /** Milliseconds since its arrival. */
  agoMs: number;
}

/** State of the case that an alert joins. */
export interface JoinedCase {
  /** Whether the answer of a person is the verdict in force. */
  isAnswered: boolean;
  /** null: the alerts of the case cannot be distinguished. */
  occurrences: KnownOccurrences | null;
}

/** An alert, and the facts that decide on its effect. */
export interface ArrivedAlert {
  /** null: repeats cannot be distinguished. */
  occurrence: AlertOccurrence | null;
  /** Whether later alerts can join its case. A measurement opens a separate case for every alert. */
  canJoin: boolean;
  /** Whether the hold-off is over, or the cause of a degraded verdict is gone. */
  isDue: boolean;
  /** Whether the sender requests another run. For a remark or a recovery, none is opened. */
  isRequested: boolean;
  /** The end of this alert, if it arrived before. null: none. */
  recovery: RememberedRecovery | null;
}

/** Effect of an alert. */
export interface AlertTransition {
  /** Reason for which it opens no case. null: it opens or joins one. */
  ignored: IgnoredReason | null;
  /** Whether its end is remembered for a start that arrives later. */
  isRemembered: boolean;
  /** `leads`: the case waits for the verdict of a new run. `proposes`: the verdict in force stays. */
  run: 'none' | 'leads' | 'proposes';
  /** null: its alerts cannot be distinguished. */
  effect: OccurrenceEffect | null;
  /** The rule that decided on the run. */
  rule: CaseRule | null;
}

/**
 * Returns the effect of an alert on its case.
 * @param joined null: no case has this alert.
 */
export function alertTransition(
  joined: JoinedCase | null,
  alert: ArrivedAlert,
  disabled: DisabledRules = ALL_RULES,
): AlertTransition {
  return joined === null ? onUnknown(alert, disabled) : onKnown(joined, alert, disabled);
}

function onUnknown(
  { occurrence, canJoin, recovery }: ArrivedAlert,
  disabled: DisabledRules,
): AlertTransition {
  const ignore = (ignored: IgnoredReason, rule: CaseRule): AlertTransition => {
    return { ignored, isRemembered: rule === 'unknownRecovery', run: 'none', effect: null, rule };
  };
  if (canJoin && occurrence !== null) {
    if (occurrence.remark === true && !disabled.has('remark')) return ignore('remark_unknown', 'remark');
    if (occurrence.resolved && !disabled.has('unknownRecovery'))
      return ignore('resolved_unknown', 'unknownRecovery');
  }
  const opens = { ignored: null, isRemembered: false, run: 'leads' } as const;
  if (occurrence === null) return { ...opens, effect: null, rule: null };
  const isOver = occurrence.resolved || (recovery !== null && wasOvertaken(occurrence, recovery, disabled));
  const first = { ...firstOccurrence(occurrence), isResolved: isOver };
  // If it fires again, it is judged, although its start is known.
  const after = isOver && !occurrence.resolved ? { ...first, coveredAt: null } : first;
  const effect: OccurrenceEffect = {
    after,
    opensRun: true,
    isNew: true,
    begins: true,
    rises: [],
    resolves: isOver,
    fires: !isOver,
    flaps: false,
    isLate: false,
    keepsText: false,
  };
  return { ...opens, effect, rule: isOver && !occurrence.resolved ? 'unknownRecovery' : null };
}

// A start that is newer than the end begins another occurrence.
function wasOvertaken(
  { startedAt }: AlertOccurrence,
  recovery: RememberedRecovery,
  disabled: DisabledRules,
): boolean {
  if (disabled.has('unknownRecovery') || recovery.agoMs > RECOVERY_REMEMBERED_MS) return false;
  const at = startedAt === null ? Number.NaN : Date.parse(startedAt);
  if (Number.isNaN(at)) return recovery.agoMs <= OVERTAKEN_MS;
  return at <= (recovery.startedAt ?? recovery.at);
}

function onKnown(
  { isAnswered, occurrences }: JoinedCase,
  { occurrence, isDue, isRequested }: ArrivedAlert,
  disabled: DisabledRules,
): AlertTransition {
  const effect =
    occurrence === null
      ? null
      : meetOccurrence(
          occurrences ?? { ...firstOccurrence(occurrence), isResolved: false },
          occurrence,
          isDue,
          disabled,
        );
  const judgesAgain = isRequested && !isRefused(occurrence, disabled);
  const canReplaceAnswer = effect !== null && effect.opensRun && (effect.begins || effect.rises.length > 0);
  const isRepeat = judgesAgain || (effect === null ? isDue : effect.opensRun);
  const yields = !isAnswered || canReplaceAnswer || disabled.has('person');
  const run = !canReplaceAnswer && !isRepeat ? 'none' : yields ? 'leads' : 'proposes';
  const rule = ruleOf(effect, occurrence, run);
  const before = occurrences?.peak ?? null;
  return { ignored: null, isRemembered: false, run, effect: withPeak(effect, occurrence, run, before), rule };
}

// A remark and a recovery are no alerts to judge, also on request.
function isRefused(occurrence: AlertOccurrence | null, disabled: DisabledRules): boolean {
  if (occurrence?.remark === true) return !disabled.has('remark');
  return occurrence?.resolved === true && !disabled.has('recovery');
}

// Only a run whose verdict can be in force raises the grade above which an alert is an escalation.
function withPeak(
  effect: OccurrenceEffect | null,
  occurrence: AlertOccurrence | null,
  run: AlertTransition['run'],
  before: Grade | null,
): OccurrenceEffect | null {
  if (effect === null || occurrence === null || run === 'none') return effect;
  if (run === 'leads') return effect.opensRun ? effect : judgedAgain(effect, occurrence);
  const after = { ...effect.after, peak: before ?? effect.after.peak, isUnderWay: false };
  return { ...effect, after };
}

// A run that the sender requested judges the alert too, so that only a grade above it is an escalation. The hourly
// limit does not hold a requested run back from a new occurrence.
function judgedAgain(effect: OccurrenceEffect, occurrence: AlertOccurrence): OccurrenceEffect {
  const { after, flaps } = effect;
  const grade = reportedGrade(occurrence, after.peak);
  const begins = effect.isNew && flaps;
  const peak = begins ? grade : higherGrade(after.peak, grade);
  const opened = { peak, isUnderWay: true, runsLastHour: after.runsLastHour + 1 };
  return {
    ...effect,
    begins,
    flaps: false,
    after: { ...after, ...opened, flaps: after.flaps - (flaps ? 1 : 0) },
  };
}

function ruleOf(
  effect: OccurrenceEffect | null,
  occurrence: AlertOccurrence | null,
  run: AlertTransition['run'],
): CaseRule | null {
  if (run === 'none' && (occurrence?.remark === true || occurrence?.joinsOnly === true)) return 'remark';
  if (run === 'proposes') return 'person';
  if (effect?.isLate === true) return 'late';
  if (effect?.resolves === true || occurrence?.resolved === true) return 'recovery';
  if (effect !== null && effect.rises.length > 0) return 'escalation';
  if (effect?.flaps === true) return 'hourlyLimit';
  return run === 'none' ? 'repeat' : null;
}
