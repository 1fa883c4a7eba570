import { done, type Alert, type GivenEvidence, type JsonObject } from '@casefile/contracts';
import type { Triage } from '../stage-parts.js';
import type { StagePorts } from '../stage-ports.js';
import { alertBrief } from './brief.js';

/** The payload of an alert, prepared for the later stages. */
export interface PreparedPayload {
  /** Subject of the case, in words. */
  text: string;
  /** The payload as the later stages need it. */
  input: JsonObject;
  /** Names of the units that the run is divided into. Empty: the run is one unit. */
  units: string[];
  /** Evidence in the payload. Default: none. */
  given?: readonly GivenEvidence[];
}

/**
 * Triage of playbooks that judge a payload.
 * @param prepare Throws a CasefileError if a person must change something outside the alert first.
 */
export function fromPayload(
  prepare: (alert: Alert, ports: StagePorts) => PreparedPayload | Promise<PreparedPayload>,
): Triage {
  return async (alert, ports) => {
    const { text, input, units, given = [] } = await prepare(alert, ports);
    return done(
      alertBrief(alert, { text, textSource: 'payload', input, entities: {}, given, notes: [] }),
      units,
    );
  };
}
