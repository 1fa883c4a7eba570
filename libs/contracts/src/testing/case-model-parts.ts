import type { Ids } from '../ports/clock.js';
import type { AcceptRequest } from '../ports/runs.js';
import type { Grade } from '../transitions/grade.js';
import { anAcceptRequest, aRunSettings } from './builders.js';

/** Hourly limit of runs of the case. */
export const MOST_RUNS = 4;
const BASE = Date.parse('2026-01-05T09:00:00Z');

/** `words`: words of recovery without a status field. */
export type AlertKind = 'firing' | 'resolved' | 'remark' | 'words';

export interface ModelRun {
  id: string;
  outward: boolean;
  /** The run whose verdict it is compared with. null: it judges a new occurrence. */
  comparedWith: string | null;
  grade: Grade;
  openedAt: number;
  /** Place among openings and decisions. */
  order: number;
  /** null: it is under way. */
  verdict: string | null;
  /** Whether its verdict is degraded, because its model was unavailable. */
  isDegraded: boolean;
  /** Whether receivers got its verdict, or have the same one already. */
  isDelivered: boolean;
  /** Whether a silence withheld its verdict from receivers. */
  isWithheld?: boolean;
  /** Default: an alert opened it. */
  isOfBatch?: boolean;
}

/** The verdict of a person on its way to receivers, or the restored verdict of the run. */
export interface ModelCorrection {
  id: string;
  /** null: it restores the verdict of the run. */
  answerId: string | null;
  runId: string;
  says: string;
  isMarked: boolean;
  sent: boolean;
}

export interface Message {
  id: string;
  /** Parts on which receivers act. */
  says: string;
  by: 'run' | 'person';
  begins: boolean;
  isMarked: boolean;
}

/** What people and receivers see of a case. */
export interface ObservedCase {
  exists: boolean;
  /** Number of runs that alerts opened. */
  runs: number;
  /** Verdict of the leading run; null: none yet. */
  verdict: string | null;
  /** Answer of a person in force; null: none. */
  answer: string | null;
  /** Whether its sender reported the end of the newest occurrence. */
  isOver: boolean;
  /** What receivers got, in order. */
  messages: string[];
}

/** An alert of an interleaving. `start` is in minutes; null: its sender reports no time. */
export interface ModelAlert {
  start: number | null;
  kind: AlertKind;
  grade: Grade;
  isRequested: boolean;
}

/** Returns the request of an alert to the intake. */
export function alertRequest(
  ids: Ids,
  { start, kind, grade, isRequested }: ModelAlert,
  over: Partial<AcceptRequest>,
): AcceptRequest {
  return anAcceptRequest(ids, {
    settings: aRunSettings({ provider: 'x' }),
    again: isRequested,
    occurrence: {
      startedAt: start === null ? null : new Date(BASE + start * 60_000).toISOString(),
      resolved: kind === 'resolved',
      mostRunsPerHour: MOST_RUNS,
      closes: false,
      grade,
      ...(kind === 'remark' ? { remark: true } : {}),
      ...(kind === 'words' ? { joinsOnly: true } : {}),
    },
    ...over,
  });
}

/** Returns a run that has begun. */
export function openedRun(
  given: Pick<ModelRun, 'id' | 'outward' | 'comparedWith' | 'grade'>,
  openedAt: number,
  order: number,
): ModelRun {
  return { ...given, openedAt, order, verdict: null, isDegraded: false, isDelivered: false };
}

/** Returns the verdict on an alert of this grade that fires. */
export function verdictOn({ severity }: Grade): string {
  return severity === 'critical' ? 'act critical' : `review ${severity}`;
}
