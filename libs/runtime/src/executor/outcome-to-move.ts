import {
  ARTIFACTS,
  CasefileError,
  type ClaimedWork,
  type Ids,
  type JsonObject,
  type Move,
  type Outcome,
  type Verdict,
  type ArtifactName,
  moveOfWait,
  moves,
} from '@casefile/contracts';
import { handOn, type Stage } from '@casefile/pipeline';

/** How a stage ends: the move to commit, and the verdict if it made one. */
export interface Ending {
  move: Move;
  verdict: Verdict | null;
}

/** Lanes whose verdicts are delivered. */
const OUTWARD: readonly string[] = ['live', 'batch'];

/**
 * Turns a stage's outcome into the move to commit, and checks the shape of what it appends.
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
