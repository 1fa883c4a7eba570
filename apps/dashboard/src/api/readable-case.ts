import type { ArtifactRecord, JsonObject, ShownCase, ShownRun } from '@casefile/contracts';

/**
 * Returns a case in which evidence keeps its items, with what the role of the reader gets of each. A case of
 * which everything is readable is returned unchanged.
 */
export function readableCase(shownCase: ShownCase): ShownCase {
  if (shownCase.withheld === undefined) return shownCase;
  return { ...shownCase, runs: shownCase.runs.map(readableRun) };
}

/** Returns the artifacts whose content the role of the reader gets. */
export function readableArtifacts(artifacts: readonly ArtifactRecord[]): ArtifactRecord[] {
  return artifacts.filter(isReadable);
}

/** Returns whether the role of the reader gets the content. The body of an artifact is never empty. */
export function isReadable({ body }: Pick<ArtifactRecord, 'body'>): boolean {
  return Object.keys(body).length > 0;
}

function readableRun(run: ShownRun): ShownRun {
  const newest = newestEvidence(run.artifacts);
  const items = run.evidence as unknown as JsonObject[];
  const artifacts = run.artifacts.map((record) =>
    record.artifact !== 'evidence' || isReadable(record)
      ? record
      : { ...record, body: { items: record === newest ? items : [] } },
  );
  return { ...run, artifacts };
}

// `evidence` of a run has the items of this artifact.
function newestEvidence(artifacts: readonly ArtifactRecord[]): ArtifactRecord | undefined {
  return artifacts
    .filter(({ artifact }) => artifact === 'evidence')
    .sort((a, b) => b.round - a.round || b.createdAt.localeCompare(a.createdAt))[0];
}
