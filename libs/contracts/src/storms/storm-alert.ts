import type { KnownCase } from '../intake/known-case.js';
import type { OccurrenceEffect } from '../intake/occurrence.js';
import type { AcceptRequest } from '../ports/runs.js';
import {
  begunStorm,
  joinedStorm,
  STORM_HOLD_MS,
  stormFor,
  type AlertCorrelation,
  type KnownStorm,
} from './correlation.js';

/** An alert that joins a storm, or begins one. */
export interface StormAlert {
  stormId: string;
  caseId: string;
  runId: string;
  /** `lead`: its run judges the storm. `waiting`: it waits for the verdict of the lead. */
  state: 'lead' | 'waiting';
  correlation: AlertCorrelation;
}

/**
 * Returns the place of an alert in a storm; null: it is not correlated with others. An alert that its sender asks to
 * judge again, or that a person answered, is judged separately.
 */
export function stormOf(
  request: AcceptRequest,
  knownCase: KnownCase | undefined,
  effect: OccurrenceEffect | null,
  isRequested: boolean,
  storms: Map<string, KnownStorm>,
): StormAlert | null {
  const { correlation, runId, alert, lane } = request;
  if (correlation === undefined || effect?.resolves === true || lane !== 'live') return null;
  const caseId = knownCase?.id ?? request.caseId;
  const own = storms.get(caseId);
  const begins = own === undefined || effect?.begins === true;
  const isSeparate = knownCase?.isAnswered === true || isRequested;
  // The lead of a storm stays its lead while the storm lasts.
  const joined = isSeparate || !begins ? null : stormFor(alert.playbook, correlation, storms.values());
  if (joined === null || joined.id === caseId) {
    const begun = begunStorm(caseId, alert.playbook, correlation);
    storms.set(caseId, begins ? begun : { ...joinedStorm(own, correlation), severity: begun.severity });
    return { stormId: caseId, caseId, runId, state: 'lead', correlation };
  }
  storms.set(joined.id, joinedStorm(joined, correlation));
  return { stormId: joined.id, caseId, runId, state: 'waiting', correlation };
}

/** Returns the request of an alert in a storm. The run of a member waits for the verdict of the lead, so it is not claimed. */
export function inStorm(request: AcceptRequest, storm: StormAlert | null): AcceptRequest {
  if (storm?.state !== 'waiting') return request;
  const { claimForMs: _, ...unclaimed } = request;
  return {
    ...unclaimed,
    settings: { ...request.settings, storm: { id: storm.stormId, role: 'member' } },
    holdMs: STORM_HOLD_MS,
  };
}
