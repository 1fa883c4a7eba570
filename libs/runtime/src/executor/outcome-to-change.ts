import {
  ARTIFACTS,
  CasefileError,
  type Change,
  type ClaimedWork,
  type Ids,
  type JsonObject,
  type Outcome,
  type Verdict,
  asCasefileError,
  type ArtifactName,
  type Later,
  reasonOf,
} from '@casefile/contracts';
import { handOn, type Stage } from '@casefile/pipeline';

/** What a stage came to: the change to commit, and the verdict when it made one. */
export interface Ending {
  change: Change;
  verdict: Verdict | null;
}

/** Lanes whose verdicts are delivered. */
const OUTWARD: readonly string[] = ['live', 'batch'];

/**
 * Turns a stage's outcome into the change to commit, holding what it appends to its shape.
 * @throws CasefileError `bad_artifact`.
 */
export function endingOf(
  at: { flow: readonly Stage[]; ids: Ids },
  stage: Stage,
  work: ClaimedWork,
  outcome: Outcome<unknown>,
): Ending {
  switch (outcome.kind) {
    case 'wait': {
      const calls = outcome.calls.map((call) => ({ ...call, id: at.ids.id() }));
      const { step, signal, timeoutMs } = outcome;
      return { change: { kind: 'suspend', step, calls, signal: signal ?? null, timeoutMs }, verdict: null };
    }
    case 'later':
      return { change: parkedWait(outcome) ?? outcome, verdict: null };
    case 'stop':
      return { change: outcome, verdict: null };
    default: {
      const body = ARTIFACTS[stage.appends].safeParse(outcome.artifact);
      if (!body.success) {
        const message = `stage ${stage.name} appended a wrong ${stage.appends}: ${body.error.message}`;
        throw new CasefileError('bad_artifact', message);
      }
      const artifact = { name: stage.appends, body: body.data as unknown as JsonObject };
      const place = { unit: work.lease.unit, round: work.lease.round, maxRounds: work.settings.maxRounds };
      const onward = handOn(at.flow, stage, place, outcome);
      if (onward !== null) return { change: { kind: 'advance', artifact, ...onward }, verdict: null };
      const isOutward = OUTWARD.includes(work.lane) && work.settings.outward !== false;
      const deliveryId = isOutward ? at.ids.id() : null;
      const effects = deliveryId === null || outcome.kind !== 'done' ? [] : (outcome.effects ?? []);
      return { change: { kind: 'decide', artifact, deliveryId, effects }, verdict: body.data as Verdict };
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

/** A wait that would end where it began becomes a parked run. */
export function parkedWait({ reasonCode }: Later): Change | null {
  const { of, final, words } = reasonOf(reasonCode);
  if (of !== 'money' && final !== true) return null;
  return { kind: 'park', reasonCode, message: `The next call of this run cannot be made: ${words}.` };
}

/**
 * A run that reads the record of another one ends where that has no answer: asking again would not make one. It waits where the
 * budget of its batch has no room for the next call.
 */
export function missedEvidence(thrown: unknown): Change | null {
  const { reasonCode, message } = asCasefileError(thrown);
  if (reasonCode === 'batch_budget') return { kind: 'park', reasonCode, message };
  return reasonCode === 'evidence_miss' ? { kind: 'stop', reasonCode, message } : null;
}

/** A failure because a budget is used up parks the run: it is nobody's mistake, and trying again makes no room. */
export function parkedFailure(thrown: unknown): Change | null {
  const { reasonCode, message } = asCasefileError(thrown);
  return reasonOf(reasonCode).of !== 'money' ? null : { kind: 'park', reasonCode, message };
}

/** Failures of one step that are tried again before the run is quarantined. */
export const MAX_FAILURES = 5;
/** A failure nobody foresaw is most likely the same next time: fewer tries. */
export const MAX_UNEXPECTED = 3;
const FIRST_RETRY_MS = 1_000;
const LAST_RETRY_MS = 60_000;

/**
 * What to do about a stage that threw: try again with a growing delay (1 s doubled each time, at most a
 * minute; never below what the other side asked for), or quarantine.
 */
export function changeOfFailure(thrown: unknown, failuresBefore: number): Change {
  const error = asCasefileError(thrown);
  const unexpected = error.reasonCode === 'unexpected';
  const allowed = unexpected ? MAX_UNEXPECTED : error.retryable ? MAX_FAILURES : 0;
  const delay = Math.min(FIRST_RETRY_MS * 2 ** failuresBefore, LAST_RETRY_MS);
  return {
    kind: 'fail',
    reasonCode: error.reasonCode,
    message: error.message,
    retryInMs: failuresBefore + 1 < allowed ? Math.max(delay, error.retryAfterMs ?? 0) : null,
  };
}
