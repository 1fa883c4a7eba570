import {
  ARTIFACTS,
  CasefileError,
  type ClaimedWork,
  type Ids,
  type JsonObject,
  type Lease,
  type Move,
  type Outcome,
  type Verdict,
  asCasefileError,
  type ArtifactName,
  type Later,
  moves,
  reasonOf,
} from '@casefile/contracts';
import { handOn, type Stage } from '@casefile/pipeline';

/** What a stage came to: the move to commit, and the verdict when it made one. */
export interface Ending {
  move: Move;
  verdict: Verdict | null;
}

/** Lanes whose verdicts are delivered. */
const OUTWARD: readonly string[] = ['live', 'batch'];

/**
 * Turns a stage's outcome into the move to commit, holding what it appends to its shape.
 * @throws CasefileError `bad_artifact`.
 */
export function endingOf(
  at: { flow: readonly Stage[]; ids: Ids },
  stage: Stage,
  work: ClaimedWork,
  outcome: Outcome<unknown>,
): Ending {
  const { lease } = work;
  switch (outcome.kind) {
    case 'wait': {
      const calls = outcome.calls.map((call) => ({ ...call, id: at.ids.id() }));
      return { move: moves.suspended(lease, { ...outcome, calls }), verdict: null };
    }
    case 'later':
      return { move: moveOfWait(lease, outcome), verdict: null };
    case 'stop':
      return { move: moves.stopped(lease, outcome), verdict: null };
    default: {
      const body = ARTIFACTS[stage.appends].safeParse(outcome.artifact);
      if (!body.success) {
        const message = `stage ${stage.name} appended a wrong ${stage.appends}: ${body.error.message}`;
        throw new CasefileError('bad_artifact', message);
      }
      const artifact = { name: stage.appends, body: body.data as unknown as JsonObject };
      const place = { unit: lease.unit, round: lease.round, maxRounds: work.settings.maxRounds };
      const onward = handOn(at.flow, stage, place, outcome);
      if (onward !== null) return { move: moves.advanced(lease, { artifact, ...onward }), verdict: null };
      const isOutward = OUTWARD.includes(work.lane) && work.settings.outward !== false;
      const deliveryId = isOutward ? at.ids.id() : null;
      const effects = deliveryId === null || outcome.kind !== 'done' ? [] : (outcome.effects ?? []);
      const move = moves.decided(lease, { artifact, deliveryId, effects });
      return { move, verdict: body.data as Verdict };
    }
  }
}

/** Artifacts that carry how they came about. */
const WITH_REMARKS: readonly ArtifactName[] = ['draft', 'review'];

/** The outcome, with the journal's remarks on what it appends: the verdict will say that it is degraded, and why. */
export function withRemarks(
  appends: ArtifactName,
  outcome: Outcome<unknown>,
  remarks: ReadonlySet<string>,
): Outcome<unknown> {
  if (!('artifact' in outcome) || remarks.size === 0 || !WITH_REMARKS.includes(appends)) return outcome;
  const artifact = outcome.artifact as { remarks?: string[] };
  return {
    ...outcome,
    artifact: { ...artifact, remarks: [...new Set([...(artifact.remarks ?? []), ...remarks])] },
  };
}

/** Waits, or parks the run where the wait would end where it began. */
export function moveOfWait(lease: Lease, wait: Later): Move {
  const { reasonCode } = wait;
  const { of, final, words } = reasonOf(reasonCode);
  if (of !== 'money' && final !== true) return moves.postponed(lease, wait);
  const message = `The next call of this run cannot be made: ${words}.`;
  return moves.parked(lease, { reasonCode, message });
}

/**
 * A run that reads the record of another one ends where that has no answer: asking again would not make one. It waits where the
 * budget of its batch has no room for the next call.
 */
export function missedEvidence(lease: Lease, thrown: unknown): Move | null {
  const why = asCasefileError(thrown);
  if (why.reasonCode === 'batch_budget') return moves.parked(lease, why);
  return why.reasonCode === 'evidence_miss' ? moves.stopped(lease, why) : null;
}

/** Failures of one step that are tried again before the run is quarantined. */
export const MAX_FAILURES = 5;
/** A failure nobody foresaw is most likely the same next time: fewer tries. */
export const MAX_UNEXPECTED = 3;
const FIRST_RETRY_MS = 1_000;
const LAST_RETRY_MS = 60_000;

/**
 * What to do about a stage that threw: try again with a growing delay (1 s doubled each time, at most a
 * minute; never below what the other side asked for), or quarantine. Where a budget is used up the run is parked: that is nobody's
 * mistake, and trying again makes no room.
 */
export function moveOfFailure(lease: Lease, thrown: unknown, failuresBefore: number): Move {
  const error = asCasefileError(thrown);
  if (reasonOf(error.reasonCode).of === 'money') return moves.parked(lease, error);
  const unexpected = error.reasonCode === 'unexpected';
  const allowed = unexpected ? MAX_UNEXPECTED : error.retryable ? MAX_FAILURES : 0;
  const delay = Math.min(FIRST_RETRY_MS * 2 ** failuresBefore, LAST_RETRY_MS);
  const retryInMs = failuresBefore + 1 < allowed ? Math.max(delay, error.retryAfterMs ?? 0) : null;
  return moves.failed(lease, { reasonCode: error.reasonCode, message: error.message, retryInMs });
}
