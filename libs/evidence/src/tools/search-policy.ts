import { z, type PolicyDocuments, type Tool } from '@casefile/contracts';
import { limitsOf } from '../limits-of.js';
import { nodeOf } from '../policy/node-of.js';
import { neededPolicies, policyArgs, searchAsks } from '../policy/policy-args.js';
import { searchPolicyTree } from '../policy/search-policy-tree.js';
import type { ChooseSections } from '../policy/walk-tree.js';
import type { EvidenceSettings } from '../settings.js';

const NAME = 'pi_search';
const asks = z.strictObject(searchAsks);
const args = asks.extend(policyArgs);

/**
 * S4-10: the sections of a policy that may answer a question. Result `{ policyId, version, found, nodes: [{ nodeId, title,
 * path, pages, lines, text, cut }], by, steps }`; no section is an answer, not a failure. `chooser` leads the walk down
 * the tree; absent: the ranks of words do.
 */
export function searchPolicy(
  settings: Pick<EvidenceSettings, 'limits'>,
  policies: PolicyDocuments | undefined,
  chooser?: ChooseSections,
): Tool {
  return {
    name: NAME,
    description: 'Searches the policy document for the sections that bear on a question.',
    locality: 'local',
    entityTypes: [],
    ...{ args, asks },
    limits: limitsOf(NAME, { timeoutMs: 30_000, attempts: 2, concurrency: 20 }, settings),
    async run(given, { signal }) {
      const { query, limit, ...policy } = args.parse(given);
      const found = await searchPolicyTree(
        neededPolicies(policies),
        { policy, query, limit },
        signal,
        chooser,
      );
      return {
        result: {
          ...{ ...policy, found: found.sections.length, nodes: found.sections.map(nodeOf), by: found.by },
          steps: found.steps.map((step) => ({ ...step })),
        },
        source: `policy ${policy.policyId} version ${policy.version}`,
      };
    },
  };
}
