import {
  asCasefileError,
  isWorkerError,
  waitForSignal,
  type Alert,
  type AskedSignal,
  type Brief,
  type ChosenOption,
} from '@casefile/contracts';
import type { Triage } from '../stage-parts.js';
import type { StagePorts } from '../stage-ports.js';

/** A question about the alert, for people to answer before the work begins. */
export interface Clarification {
  question: AskedSignal;
  /** How long the run waits for an answer, in milliseconds. Then it continues with the fallback of the question. */
  waitMs: number;
  /** Returns the fields of the brief that an answer changes. */
  settled(chosen: ChosenOption): Partial<Brief>;
}

/** Step of triage at which people are asked. */
const STEP = 1;

/**
 * Wraps a triage that asks people what an alert means before the work begins.
 * @param clarification Returns null if nothing is unclear. It may ask a model, in the first steps of triage.
 * If it fails, the run continues without the question.
 */
export function clarifying(
  clarification: (alert: Alert, brief: Brief, ports: StagePorts) => Promise<Clarification | null>,
  triage: Triage,
): Triage {
  return async (alert, ports) => {
    const outcome = await triage(alert, ports);
    if (outcome.kind !== 'done') return outcome;
    const open = await clarification(alert, outcome.artifact, ports).catch((thrown: unknown) => {
      const error = asCasefileError(thrown);
      if (ports.signal.aborted || isWorkerError(error)) throw thrown;
      ports.log.warn({ reason: error.reasonCode }, 'no clarification is requested');
      return null;
    });
    if (open === null) return outcome;
    const chosen = ports.signals.chosen(STEP, open.question);
    if (chosen === null) return waitForSignal(STEP, open.question, open.waitMs);
    return { ...outcome, artifact: { ...outcome.artifact, ...open.settled(chosen) } };
  };
}
