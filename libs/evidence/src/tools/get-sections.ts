import { z, type PolicyDocuments, type Tool } from '@casefile/contracts';
import { limitsOf } from '../limits-of.js';
import { placesOf } from '../policy/node-of.js';
import { neededPolicies, policyArgs } from '../policy/policy-args.js';
import { readSections } from '../policy/read-sections.js';
import type { EvidenceSettings } from '../settings.js';

const NAME = 'sections_get';
const args = z.strictObject({
  ...policyArgs,
  nodeIds: z.array(z.string().min(1).max(64)).min(1).max(100),
});

/**
 * Sections of a policy by their node ids, with their whole texts: what quotes are held against. Result `{ policyId, version,
 * sections: [{ nodeId, title, path, pages, lines, text }], unknownNodes }`, in the order of the document. Texts that are
 * more together than a result may hold fail as `too_large`: ask for fewer at once.
 */
export function getSections(
  settings: Pick<EvidenceSettings, 'limits'>,
  policies: PolicyDocuments | undefined,
): Tool {
  return {
    name: NAME,
    description: 'Reads policy sections with their whole texts.',
    locality: 'local',
    entityTypes: [],
    args,
    limits: limitsOf(NAME, { timeoutMs: 10_000, attempts: 2, concurrency: 20 }, settings),
    async run(given, { signal }) {
      signal.throwIfAborted();
      const { nodeIds, ...policy } = args.parse(given);
      const { sections, unknownNodes } = await readSections(neededPolicies(policies), policy, nodeIds);
      return {
        result: {
          ...policy,
          unknownNodes,
          sections: sections.map((section) => ({ ...placesOf(section), text: section.text })),
        },
        source: `policy ${policy.policyId} version ${policy.version}`,
      };
    },
  };
}
