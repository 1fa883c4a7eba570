import { evidenceItemSchema, type EvidenceItem, type NewArtifact } from '@casefile/contracts';

/** The items of an evidence artifact, each once. What is not an item stays in the artifact alone. */
export function evidenceItemsOf(artifact: NewArtifact): EvidenceItem[] {
  if (artifact.name !== 'evidence' || !Array.isArray(artifact.body['items'])) return [];
  const items = new Map<string, EvidenceItem>();
  for (const candidate of artifact.body['items']) {
    const parsed = evidenceItemSchema.safeParse(candidate);
    if (parsed.success && !items.has(parsed.data.id)) items.set(parsed.data.id, parsed.data);
  }
  return [...items.values()];
}
