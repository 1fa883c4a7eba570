import type { PolicyDocuments, PolicyKey } from '@casefile/contracts';
import { pathOf, unknownPolicy, type FoundSection } from './search-policy-tree.js';

export interface ReadSections {
  /** In the order of the document. */
  sections: FoundSection[];
  /** Ids that this version does not have. */
  unknownNodes: string[];
}

/** Sections by their ids, with their whole texts and the titles above them. @throws CasefileError `unknown_policy`. */
export async function readSections(
  policies: PolicyDocuments,
  policy: PolicyKey,
  nodeIds: readonly string[],
): Promise<ReadSections> {
  const tree = await policies.policyTree(policy);
  if (tree.length === 0) throw unknownPolicy(policy);
  const asked = [...new Set(nodeIds)];
  const sections = await policies.policySections(policy, asked);
  const found = new Set(sections.map(({ nodeId }) => nodeId));
  return {
    sections: sections.map((section) => ({ ...section, path: pathOf(section, tree) })),
    unknownNodes: asked.filter((id) => !found.has(id)),
  };
}
