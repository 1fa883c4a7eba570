/** Severity of an alert, as its sender reports it. `unknown`: not reported. */
export const SEVERITIES = ['critical', 'warning', 'info', 'unknown'] as const;
export type Severity = (typeof SEVERITIES)[number];

/** Levels of a firing alert: its rule has no data, it warns, or it fires. */
export const ALERT_LEVELS = ['no-data', 'warning', 'firing'] as const;
export type AlertLevel = (typeof ALERT_LEVELS)[number];

/** How grave a sender reports an alert to be. */
export interface Grade {
  severity: Severity;
  level: AlertLevel;
  /** Number of affected things that the alert lists. null: it lists none. */
  affected: number | null;
}

/** Grade of an alert whose sender reports nothing about it. */
export const NO_GRADE: Grade = { severity: 'unknown', level: 'firing', affected: null };

/** `unknown` is between `info` and `warning`, and is never above another severity. */
export const SEVERITY_RANK: Record<Severity, number> = { info: 0, unknown: 1, warning: 2, critical: 3 };

/** The set of affected things grows beyond this factor and by at least this number. */
const MUCH_LARGER = { factor: 2, by: 5 };

/** Parts of a grade that are above another grade. */
export type Rise = 'severity' | 'level' | 'affected';

/**
 * Returns the parts of `now` that are above `peak`. Empty: this is no escalation. An alert with a lower severity is
 * none, whatever its state: a verdict on it must not replace that of the higher severity.
 */
export function risesAbove(now: Grade, peak: Grade): Rise[] {
  if (SEVERITY_RANK[now.severity] < SEVERITY_RANK[peak.severity]) return [];
  const isHigher = now.severity !== 'unknown' && SEVERITY_RANK[now.severity] > SEVERITY_RANK[peak.severity];
  const { factor, by } = MUCH_LARGER;
  const isLarger =
    now.affected !== null &&
    peak.affected !== null &&
    now.affected >= peak.affected * factor &&
    now.affected - peak.affected >= by;
  return [
    ...(isHigher ? (['severity'] as const) : []),
    ...(ALERT_LEVELS.indexOf(now.level) > ALERT_LEVELS.indexOf(peak.level) ? (['level'] as const) : []),
    ...(isLarger ? (['affected'] as const) : []),
  ];
}

/**
 * Returns the higher value of each part. A grade of a lower severity raises nothing: its state was never reported
 * together with the higher severity.
 */
export function higherGrade(one: Grade, other: Grade): Grade {
  if (SEVERITY_RANK[other.severity] < SEVERITY_RANK[one.severity]) return one;
  const isHigher = SEVERITY_RANK[other.severity] > SEVERITY_RANK[one.severity];
  return {
    severity: isHigher ? other.severity : one.severity,
    level: ALERT_LEVELS.indexOf(other.level) > ALERT_LEVELS.indexOf(one.level) ? other.level : one.level,
    affected:
      one.affected === null || other.affected === null
        ? (one.affected ?? other.affected)
        : Math.max(one.affected, other.affected),
  };
}
