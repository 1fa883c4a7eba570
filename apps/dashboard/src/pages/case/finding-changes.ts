import type { ArtifactRecord, Finding, Review } from '@casefile/contracts';

export interface FindingChange {
  finding: Finding;
  /** Change since the review of the previous round. */
  change: 'new' | 'repeated' | 'solved';
}

/** Returns the findings of a review, and the findings of the previous review that are gone. */
export function findingChanges(
  artifacts: readonly ArtifactRecord[],
  record: ArtifactRecord,
): FindingChange[] {
  const before = artifacts
    .filter((it) => it.artifact === 'review' && it.unit === record.unit && it.round < record.round)
    .sort((a, b) => b.round - a.round)[0];
  const then = before === undefined ? [] : artifactFindings(before);
  const now = artifactFindings(record);
  const earlierIds = new Set(then.map(({ id }) => id));
  const currentIds = new Set(now.map(({ id }) => id));
  return [
    ...now.map((finding) => ({
      finding,
      change: earlierIds.has(finding.id) ? ('repeated' as const) : ('new' as const),
    })),
    ...then
      .filter(({ id }) => !currentIds.has(id))
      .map((finding) => ({ finding, change: 'solved' as const })),
  ];
}

function artifactFindings({ body }: ArtifactRecord): Finding[] {
  return (body as unknown as Review).findings;
}
