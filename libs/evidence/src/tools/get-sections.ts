import { z, type PolicyDocuments, type Tool, type PolicyKey } from '@casefile/contracts';
import { OWN_LOOK_UP, toolLimits, type EvidenceSettings } from '../settings.js';
import { foundSectionPlaces, neededPolicies, policyArgs } from '../policy/policy-args.js';
import { sectionPath, unknownPolicy, type FoundSection } from '../policy/search-policy-tree.js';

const NAME = 'sections_get';
const args = z.strictObject({
  ...policyArgs,
  nodeIds: z.array(z.string().min(1).max(64)).min(1).max(100),
});

/**
 * Sections of a policy by node id, with whole texts, against which quotes are checked. Result `{ policyId,
 * version, sections: [{ nodeId, title, path, pages, lines, text }], unknownNodes }`, in document order. Texts
 * that together exceed the limit of a result fail with `too_large`; request fewer sections per call.
 */
export function getSections(
  settings: Pick<EvidenceSettings, 'limits'>,
  policies: PolicyDocuments | undefined,
): Tool {
  return {
    name: NAME,
    description: 'Reads policy sections with their whole texts.',
    locality: 'local',
    reads: 'database',
    entityTypes: [],
    args,
    limits: toolLimits(NAME, { ...OWN_LOOK_UP, concurrency: 20 }, settings),
    async run(input, { signal }) {
      signal.throwIfAborted();
      const { nodeIds, ...policy } = args.parse(input);
      const { sections, unknownNodes } = await readSections(neededPolicies(policies), policy, nodeIds);
      return {
        result: {
          ...policy,
          unknownNodes,
          sections: sections.map((section) => ({ ...foundSectionPlaces(section), text: section.text })),
        },
        source: `policy ${policy.policyId} version ${policy.version}`,
      };
    },
  };
}

interface ReadSections {
  /** In document order. */
  sections: FoundSection[];
  /** Ids that this version does not have. */
  unknownNodes: string[];
}

/**
 * Reads sections by id, with their whole texts and the titles above them. @throws CasefileError
 * `unknown_policy`.
 */
async function readSections(
  policies: PolicyDocuments,
  policy: PolicyKey,
  nodeIds: readonly string[],
): Promise<ReadSections> {
  const tree = await policies.policyTree(policy);
  if (tree.length === 0) throw unknownPolicy(policy);
  const wantedIds = [...new Set(nodeIds)];
  const sections = await policies.policySections(policy, wantedIds);
  const knownIds = new Set(sections.map(({ nodeId }) => nodeId));
  return {
    sections: sections.map((section) => ({ ...section, path: sectionPath(section, tree) })),
    unknownNodes: wantedIds.filter((id) => !knownIds.has(id)),
  };
}
