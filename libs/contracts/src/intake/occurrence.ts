import type { AlertOccurrence } from '../ports/runs.js';
import { higherGrade, NO_GRADE, risesAbove, type Grade, type Rise } from '../transitions/grade.js';
import { ALL_RULES, type DisabledRules } from '../transitions/rules.js';

/** Recorded state of the occurrences of one case. Times are milliseconds since the epoch. */
export interface KnownOccurrences {
  /** Start of the newest reported occurrence, firing or resolved. null: none had a time. */
  startedAt: number | null;
  /**
   * Start of the newest occurrence that opened a run, joined one, or was noted as flapping. null: none had a
   * time.
   */
  coveredAt: number | null;
  isResolved: boolean;
  /** Whether its leading run is active or waits for a person. */
  isUnderWay: boolean;
  /** Number of runs that alerts opened in the last hour. Runs that judge a case again do not count. */
  runsLastHour: number;
  /** Number of occurrences that opened no run, because there were too many. */
  flaps: number;
  /** Milliseconds since the newest alert of the case. */
  lastAgoMs: number;
  /** Highest grade that was judged since the newest occurrence that opened a run. */
  peak: Grade;
}

/** Effect of an alert with an occurrence on its case. */
export interface OccurrenceEffect {
  after: KnownOccurrences;
  opensRun: boolean;
  /** Whether the alert is the first report of an occurrence that a run may judge. */
  isNew: boolean;
  /** Whether the run judges the first report of an occurrence. */
  begins: boolean;
  /** Parts of the grade that rose above everything that was judged. Empty: this is no escalation. */
  rises: Rise[];
  /** The alert reports the end of the occurrence. */
  resolves: boolean;
  /** The alert is firing, so the case is no longer resolved. */
  fires: boolean;
  /** A new occurrence that opens no run, because there were too many within an hour. */
  flaps: boolean;
  /** The alert arrived after a report of a later occurrence. Only the count of alerts changes. */
  isLate: boolean;
  /** Whether the case keeps its text: the alert is late, or a remark that no run judges. */
  keepsText: boolean;
}

/** Silence after which an alert without a start time begins another occurrence, in milliseconds. */
export const QUIET_MS = 6 * 3_600_000;

/** Returns the state of the occurrences after the first alert of a case. */
export function firstOccurrence({
  startedAt,
  resolved,
  grade = NO_GRADE,
}: Pick<AlertOccurrence, 'startedAt' | 'resolved' | 'grade'>): KnownOccurrences {
  const at = epochMs(startedAt);
  return {
    startedAt: at,
    coveredAt: at,
    isResolved: resolved,
    isUnderWay: true,
    runsLastHour: 1,
    flaps: 0,
    lastAgoMs: 0,
    peak: grade,
  };
}

/**
 * Decides the effect of an alert on an existing case. The start time identifies an occurrence. The first
 * firing alert of a later occurrence opens a run, unless one is running or too many were opened within the
 * hour. An escalation always opens a run. Other alerts of the occurrence open none. An alert that reports the
 * end never opens a run. A remark opens one only for an escalation, and words of recovery without a status field
 * only for an escalation or an occurrence with a later start.
 * @param isDue whether an alert without an occurrence would open a run, by the hold-off of its playbook.
 */
export function meetOccurrence(
  known: KnownOccurrences,
  occurrence: AlertOccurrence,
  isDue: boolean,
  disabled: DisabledRules = ALL_RULES,
): OccurrenceEffect {
  const at = epochMs(occurrence.startedAt);
  const isOlder = at !== null && known.startedAt !== null && at < known.startedAt;
  const isLate = isOlder && !disabled.has('late');
  const nothing = {
    opensRun: false,
    isNew: false,
    begins: false,
    rises: [],
    resolves: false,
    fires: false,
    flaps: false,
    isLate,
    keepsText: isLate,
  };
  const grade = reportedGrade(occurrence, known.peak);
  const rises =
    isLate || occurrence.resolved || disabled.has('escalation') ? [] : risesAbove(grade, known.peak);
  const startsLater = at !== null && known.coveredAt !== null && at > known.coveredAt;
  const hasNoEffect =
    occurrence.remark === true || (occurrence.joinsOnly === true && (isLate || !startsLater));
  if (hasNoEffect && rises.length === 0 && !disabled.has('remark'))
    return { ...nothing, keepsText: true, after: known };
  const startedAt = latest(known.startedAt, at);
  if (occurrence.resolved) {
    // Only the first report counts, because senders repeat it for hours.
    const resolves = !isLate && (!known.isResolved || startedAt !== known.startedAt);
    const after = { ...known, startedAt, lastAgoMs: 0, isResolved: known.isResolved || resolves };
    if (disabled.has('recovery')) return { ...nothing, opensRun: resolves, resolves, after };
    return { ...nothing, resolves, after };
  }
  const isLater =
    at === null
      ? known.isResolved || known.lastAgoMs > QUIET_MS
      : known.coveredAt === null || at > known.coveredAt;
  const isRepeat = !isLater && at === null && isDue;
  const isFree = (isLater || isRepeat || disabled.has('repeat')) && !isLate && !known.isUnderWay;
  const isBelowLimit = known.runsLastHour < occurrence.mostRunsPerHour || disabled.has('hourlyLimit');
  const opensRun = rises.length > 0 || (isFree && isBelowLimit);
  const flaps = isFree && !opensRun;
  const fires = !isLate;
  // Occurrences above the limit are not judged, so an escalation is one above the last one that was.
  const judged = isLater && !known.isUnderWay ? grade : higherGrade(known.peak, grade);
  const after = {
    startedAt,
    coveredAt: latest(known.coveredAt, at),
    isResolved: known.isResolved && !fires,
    isUnderWay: known.isUnderWay || opensRun,
    runsLastHour: known.runsLastHour + (opensRun ? 1 : 0),
    flaps: known.flaps + (flaps ? 1 : 0),
    lastAgoMs: 0,
    peak: opensRun ? judged : known.peak,
  };
  return {
    ...nothing,
    opensRun,
    isNew: isLater && !isLate,
    begins: opensRun && isLater,
    rises,
    flaps,
    fires,
    after,
  };
}

/** Returns the grade that an alert reports. A remark and words of recovery report no level of their own. */
export function reportedGrade({ grade = NO_GRADE, remark, joinsOnly }: AlertOccurrence, peak: Grade): Grade {
  return remark === true || joinsOnly === true ? { ...grade, level: peak.level } : grade;
}

function epochMs(time: string | null): number | null {
  const ms = time === null ? Number.NaN : Date.parse(time);
  return Number.isNaN(ms) ? null : ms;
}

function latest(one: number | null, other: number | null): number | null {
  if (one === null || other === null) return one ?? other;
  return Math.max(one, other);
}
