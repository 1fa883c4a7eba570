import type { KnownCase } from '../intake/index.js';
import type { AcceptRequest } from '../ports/runs.js';
import { higherGrade, risesAbove, type Grade } from '../transitions/grade.js';
import { MOST_RUNS, type AlertKind } from './case-model-parts.js';

const HOUR_MS = 3_600_000;

/** An alert, and the run that it opened. */
export interface CheckedAlert {
  kind: AlertKind;
  /** ISO 8601; null: its sender reports no time. */
  startedAt: string | null;
  grade: Grade;
  /** null: it opened no run. */
  opened: AcceptRequest | null;
  isRequested: boolean;
}

/** State of a case before an alert. */
export interface CheckedState {
  known: KnownCase | null;
  isAnswered: boolean;
  /** Whether its verdict is kept until something new happens: a degraded one is judged again. */
  isKept: boolean;
  startedAt: number | null;
  isOver: boolean;
  lastAlertAgoMs: number;
  decidedAgoMs: number | null;
  /** Number of runs that alerts opened within the last hour. */
  runsLastHour: number;
  /** Grades judged since the newest occurrence that opened a run. */
  judged: readonly Grade[];
}

/**
 * Checks the sentences about the run that an alert opens.
 * @returns whether the alert begins an occurrence.
 */
export function checkRun(
  { kind, startedAt, grade, opened, isRequested }: CheckedAlert,
  before: CheckedState,
  expect: (holds: boolean, sentence: string) => void,
): boolean {
  if (kind === 'resolved' || before.known === null) return before.known === null;
  const at = startedAt === null ? null : Date.parse(startedAt);
  const isLate = at !== null && before.startedAt !== null && at < before.startedAt;
  if (isLate && !isRequested) expect(opened === null, 'A report of an earlier occurrence changes nothing.');
  const wasQuiet = before.lastAlertAgoMs > 6 * HOUR_MS;
  const covered = before.known.occurrences?.coveredAt ?? null;
  const isNew = at === null ? before.isOver || wasQuiet : covered === null || at > covered;
  const rises = before.judged.length > 0 && risesAbove(grade, before.judged.reduce(higherGrade)).length > 0;
  const startsLater = at !== null && covered !== null && at > covered && !isLate;
  const hasEffect = kind === 'firing' || (rises && !isLate) || (kind === 'words' && startsLater);
  const isNewOccurrence = hasEffect && isNew && !isLate;
  if (!isLate && rises) {
    expect(opened !== null && opened.settings.outward !== false, 'An escalation is judged.');
    return isNewOccurrence;
  }
  if (!hasEffect && (kind === 'remark' || !isRequested)) {
    expect(opened === null, 'A recovery or a remark opens no run.');
    return isNewOccurrence;
  }
  const isPossible = isNew || isRequested || at === null;
  expect(isPossible || opened === null, 'A repeat without an escalation opens no run.');
  if (
    at === null &&
    !isNew &&
    !isRequested &&
    before.isKept &&
    before.decidedAgoMs !== null &&
    before.decidedAgoMs < 24 * HOUR_MS
  )
    expect(opened === null, 'A repeat without an escalation opens no run.');
  if (isNew && !isRequested && opened !== null) {
    expect(before.runsLastHour < MOST_RUNS, 'At most the hourly limit of occurrences is judged.');
  }
  if (before.isAnswered && opened !== null && !isNew)
    expect(opened.settings.outward === false, "A repeat next to a person's answer is a proposal.");
  return isNewOccurrence;
}
