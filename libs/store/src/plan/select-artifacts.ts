import type { ArtifactName, ArtifactSet, ClaimedWork, ClaimRequest, JsonObject } from '@casefile/contracts';

export interface Appended {
  unit: string;
  artifact: ArtifactName;
  round: number;
  body: JsonObject;
}

/**
 * Of the artifacts of a run, what a claim is to be handed: for each name the one of the highest round, of the
 * unit itself or else of the run's own unit `''`, from before the units were opened.
 */
export function selectArtifacts(
  request: Pick<ClaimRequest, 'unit' | 'round' | 'reads' | 'readsPrevious' | 'joins'>,
  appended: readonly Appended[],
  openedUnits: readonly string[],
): Pick<ClaimedWork, 'artifacts' | 'previous' | 'units'> {
  const { unit, round, reads, readsPrevious, joins } = request;
  const upTo = (limit: number) => appended.filter((artifact) => artifact.round <= limit);
  const names = openedUnits.length > 0 ? [...openedUnits].sort() : [''];
  return {
    artifacts: pick(upTo(round), unit, reads),
    previous: pick(upTo(round - 1), unit, readsPrevious),
    units: joins ? names.map((name) => ({ unit: name, artifacts: pick(appended, name, reads) })) : [],
  };
}

function pick(appended: readonly Appended[], unit: string, names: readonly ArtifactName[]): ArtifactSet {
  const set: ArtifactSet = {};
  for (const name of names) {
    const named = appended.filter((artifact) => artifact.artifact === name);
    const found =
      newest(named.filter((artifact) => artifact.unit === unit)) ??
      newest(named.filter((a) => a.unit === ''));
    if (found !== undefined) set[name] = found.body;
  }
  return set;
}

function newest(artifacts: Appended[]): Appended | undefined {
  return artifacts.reduce<Appended | undefined>(
    (best, one) => (best === undefined || one.round > best.round ? one : best),
    undefined,
  );
}
