import type { AlertOccurrence } from '../ports/runs.js';

/** What the record knows of the occurrences of one case; times in milliseconds since the epoch. */
export interface KnownOccurrences {
  /** The newest that its sender told of, fired or over; null: none had a time. */
  startedAt: number | null;
  /** The newest that a run was opened for, that joined one, or that was noted as flapping; null: none had a time. */
  coveredAt: number | null;
  isResolved: boolean;
  /** Is its leading run under way, or waiting for a person? */
  isUnderWay: boolean;
  /** Runs of the lanes `live` and `batch` that were opened in the last hour. */
  runsLastHour: number;
  /** Occurrences that opened no run, because there were too many. */
  flaps: number;
}

/** What an alert of an occurrence does to the case that it joins. */
export interface Met {
  after: KnownOccurrences;
  opensRun: boolean;
  /** Its sender says now that it is over. */
  resolves: boolean;
  /** It is firing: what was resolved is so no more. */
  fires: boolean;
  /** Another occurrence that opens no run, because there were too many within an hour. */
  flaps: boolean;
  /** It came after news of a later occurrence: nothing changes but the count of alerts. */
  isLate: boolean;
}

/** What the first alert of a case leaves on the record. */
export function firstOccurrence({ startedAt, resolved }: AlertOccurrence): KnownOccurrences {
  const at = msOf(startedAt);
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
 * Decides what an alert does to a case that is on the record. An occurrence is known by when it started: the first
 * firing alert of a later one opens a run unless one is under way or too many were opened within the hour; any other
 * alert of it opens nothing, and one that says it is over never does. S2-40.
 * @param isDue Would an alert that nothing tells apart open a run, by the hold-off of its kind?
 */
export function meetOccurrence(known: KnownOccurrences, occurrence: AlertOccurrence, isDue: boolean): Met {
  const at = msOf(occurrence.startedAt);
  const isLate = at !== null && known.startedAt !== null && at < known.startedAt;
  const startedAt = latest(known.startedAt, at);
  const nothing = { opensRun: false, resolves: false, fires: false, flaps: false, isLate };
  if (occurrence.resolved) {
    // The first that says so counts: senders say it again for hours.
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

function msOf(time: string | null): number | null {
  const ms = time === null ? Number.NaN : Date.parse(time);
  return Number.isNaN(ms) ? null : ms;
}

function latest(one: number | null, other: number | null): number | null {
  if (one === null || other === null) return one ?? other;
  return Math.max(one, other);
}
