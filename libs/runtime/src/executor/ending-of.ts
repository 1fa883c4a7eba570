import {
  ARTIFACTS,
  CasefileError,
  type Change,
  type ClaimedWork,
  type Ids,
  type JsonObject,
  type Outcome,
  type Verdict,
} from '@casefile/contracts';
import { handOn, type Stage } from '@casefile/pipeline';
import { parkedWait } from './degradation.js';

/** What a stage came to: the change to commit, and the verdict when it made one. */
export interface Ending {
  change: Change;
  verdict: Verdict | null;
}

/** Lanes whose verdicts leave the house. */
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
      const deliveryId = OUTWARD.includes(work.lane) ? at.ids.id() : null;
      return { change: { kind: 'decide', artifact, deliveryId }, verdict: body.data as Verdict };
    }
  }
}
