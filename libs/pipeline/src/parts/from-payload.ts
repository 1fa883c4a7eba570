import {
  done,
  fieldProblems,
  type Alert,
  type AlertInput,
  type FieldProblem,
  type GivenEvidence,
  type JsonObject,
  type z,
} from '@casefile/contracts';
import type { Triage } from '../stage-parts.js';
import type { StagePorts } from '../stage-ports.js';
import { alertBrief } from './from-text.js';

/** The payload of an alert, prepared for the later stages. */
export interface PreparedPayload {
  /** Subject of the case, in words. */
  text: string;
  /** The payload as the later stages need it. */
  input: JsonObject;
  /** Names of the units that the run is divided into. Empty: the run is one unit. */
  units: string[];
  /** Evidence in the payload. Default: none. */
  suppliedEvidence?: readonly GivenEvidence[];
}

/** Most problems of one payload that are reported. */
const MOST_PROBLEMS = 50;

/** Returns the problems of an alert's payload, by field. An alert without a payload has an empty one. */
export function payloadProblems(schema: z.ZodType, { payload }: Pick<AlertInput, 'payload'>): FieldProblem[] {
  const read = schema.safeParse(payload ?? {});
  if (read.success) return [];
  return fieldProblems(read.error)
    .slice(0, MOST_PROBLEMS)
    .map(({ path, message }) => ({
      path: path === '' ? 'payload' : `payload.${path}`,
      message: message.replace(/^Invalid input: /, '').replace(/, received undefined$/, ', found nothing'),
    }));
}

/**
 * Triage of playbooks that judge a payload.
 * @param prepare Throws a CasefileError if a person must change something outside the alert first.
 */
export function fromPayload(
  prepare: (alert: Alert, ports: StagePorts) => PreparedPayload | Promise<PreparedPayload>,
): Triage {
  return async (alert, ports) => {
    const { text, input, units, suppliedEvidence = [] } = await prepare(alert, ports);
    return done(
      alertBrief(alert, { text, textSource: 'payload', input, entities: {}, suppliedEvidence, notes: [] }),
      units,
    );
  };
}
