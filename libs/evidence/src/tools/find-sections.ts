import { z, type PolicyDocuments, type Tool } from '@casefile/contracts';
import { limitsOf } from '../limits-of.js';
import { nodeOf } from '../policy/node-of.js';
import { neededPolicies, policyArgs, searchAsks } from '../policy/policy-args.js';
import { relatedSections } from '../policy/related-sections.js';
import { searchPolicyTree } from '../policy/search-policy-tree.js';
import type { EvidenceSettings } from '../settings.js';

const NAME = 'sections_search';
const args = z.strictObject({ ...searchAsks, ...policyArgs, related: z.boolean().default(false) });

/**
 * As `pi_search`, always by the ranks of words and never by a model: what the heuristic controller looks up with. With
 * `related` also the sections that may change what those found say. S4-40.
 */
export function findSections(
  settings: Pick<EvidenceSettings, 'limits'>,
  policies: PolicyDocuments | undefined,
): Tool {
  return {
    name: NAME,
    description: 'Searches the policy document by its words.',
    locality: 'local',
    entityTypes: [],
    args,
    limits: limitsOf(NAME, { timeoutMs: 10_000, attempts: 2, concurrency: 20 }, settings),
    async run(given, { signal }) {
      const { query, limit, related, ...policy } = args.parse(given);
      const documents = neededPolicies(policies);
      const found = await searchPolicyTree(documents, { policy, query, limit }, signal);
      const others = related ? await relatedSections(documents, policy, found.sections) : null;
      return {
        result: {
          ...policy,
          found: found.sections.length,
          nodes: found.sections.map(nodeOf),
          by: found.by,
          ...(others && { related: others.map(nodeOf) }),
          steps: found.steps.map((step) => ({ ...step })),
        },
        source: `policy ${policy.policyId} version ${policy.version}`,
      };
    },
  };
}
