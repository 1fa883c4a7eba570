import { evidenceSchema, type ArtifactRecord, type EvidenceItem } from '@casefile/contracts';

/** The items of the evidence artifact of the highest round; none when nothing was collected yet. */
export function newestEvidence(artifacts: ArtifactRecord[]): EvidenceItem[] {
  const newest = artifacts
    .filter((record) => record.artifact === 'evidence')
    .sort((a, b) => b.round - a.round || b.createdAt.localeCompare(a.createdAt))[0];
  if (newest === undefined) return [];
  return evidenceSchema.parse(newest.body).items;
}
