import type { ArtifactName } from '../artifacts/index.js';
import type { JsonObject } from '../json.js';
import type { ArtifactSet, ClaimedWork, ClaimRequest } from '../ports/units.js';

/** An artifact on the record of a run. */
export interface AppendedArtifact {
  unit: string;
  artifact: ArtifactName;
  round: number;
  body: JsonObject;
}

/**
 * Returns the artifacts for a claim: per name the artifact of the highest round, from the unit itself, or
 * else from the run's own unit `''` (appended before the units were opened).
 * @param appended artifacts of the run, sorted by round.
 */
export function selectArtifacts(
  request: Pick<ClaimRequest, 'unit' | 'round' | 'reads' | 'readsPrevious' | 'joins'>,
  appended: readonly AppendedArtifact[],
  openedUnits: readonly string[],
): Pick<ClaimedWork, 'artifacts' | 'previous' | 'units'> {
  const { unit, round, reads, readsPrevious, joins } = request;
  const names = openedUnits.length > 0 ? [...openedUnits].sort() : [''];
  return {
    artifacts: pick(appended, round, unit, reads),
    previous: pick(appended, round - 1, unit, readsPrevious),
    units: joins
      ? names.map((name) => ({ unit: name, artifacts: pick(appended, Infinity, name, reads) }))
      : [],
  };
}

function pick(
  appended: readonly AppendedArtifact[],
  lastRound: number,
  unit: string,
  names: readonly ArtifactName[],
): ArtifactSet {
  const set: ArtifactSet = {};
  for (const name of names) {
    const candidates = appended.filter(({ artifact, round }) => artifact === name && round <= lastRound);
    const newest =
      candidates.findLast((one) => one.unit === unit) ?? candidates.findLast((one) => one.unit === '');
    if (newest !== undefined) set[name] = newest.body;
  }
  return set;
}
