import type { AlertOccurrence } from '../ports/runs.js';

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
  /** Number of runs in the lanes `live` and `batch` that were opened in the last hour. */
  runsLastHour: number;
  /** Number of occurrences that opened no run, because there were too many. */
  flaps: number;
}

/** Effect of an alert with an occurrence on its case. */
export interface OccurrenceEffect {
  after: KnownOccurrences;
  opensRun: boolean;
  /** The alert reports the end of the occurrence. */
  resolves: boolean;
  /** The alert is firing, so the case is no longer resolved. */
  fires: boolean;
  /** A new occurrence that opens no run, because there were too many within an hour. */
  flaps: boolean;
  /** The alert arrived after a report of a later occurrence. Only the count of alerts changes. */
  isLate: boolean;
}

/** Returns the state of the occurrences after the first alert of a case. */
export function firstOccurrence({ startedAt, resolved }: AlertOccurrence): KnownOccurrences {
  const at = epochMs(startedAt);
  return {
    startedAt: at,
    coveredAt: at,
    isResolved: resolved,
    isUnderWay: true,
    runsLastHour: 1,
    flaps: 0,
  };
}

/**
 * Decides the effect of an alert on an existing case. The start time identifies an occurrence. The first
 * firing alert of a later occurrence opens a run, unless one is running or too many were opened within the
 * hour. Other alerts of the occurrence open none. An alert that reports the end never opens a run.
 * @param isDue whether an alert without an occurrence would open a run, by the hold-off of its playbook.
 */
export function meetOccurrence(
  known: KnownOccurrences,
  occurrence: AlertOccurrence,
  isDue: boolean,
): OccurrenceEffect {
  const at = epochMs(occurrence.startedAt);
  const isLate = at !== null && known.startedAt !== null && at < known.startedAt;
  const startedAt = latest(known.startedAt, at);
  const nothing = { opensRun: false, resolves: false, fires: false, flaps: false, isLate };
  if (occurrence.resolved) {
    // Only the first report counts, because senders repeat it for hours.
    const resolves = !isLate && (!known.isResolved || startedAt !== known.startedAt);
    return { ...nothing, resolves, after: { ...known, startedAt, isResolved: known.isResolved || resolves } };
  }
  const isNew = at === null ? known.isResolved || isDue : known.coveredAt === null || at > known.coveredAt;
  const isFree = isNew && !isLate && !known.isUnderWay;
  const opensRun = isFree && known.runsLastHour < occurrence.mostRunsPerHour;
  const flaps = isFree && !opensRun;
  const fires = !isLate;
  const after = {
    startedAt,
    coveredAt: latest(known.coveredAt, at),
    isResolved: known.isResolved && !fires,
    isUnderWay: known.isUnderWay || opensRun,
    runsLastHour: known.runsLastHour + (opensRun ? 1 : 0),
    flaps: known.flaps + (flaps ? 1 : 0),
  };
  return { ...nothing, opensRun, flaps, fires, after };
}

function epochMs(time: string | null): number | null {
  const ms = time === null ? Number.NaN : Date.parse(time);
  return Number.isNaN(ms) ? null : ms;
}

function latest(one: number | null, other: number | null): number | null {
  if (one === null || other === null) return one ?? other;
  return Math.max(one, other);
}
