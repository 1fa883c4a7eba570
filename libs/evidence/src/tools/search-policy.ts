import { z, type PolicyDocuments, type Tool } from '@casefile/contracts';
import { limitsOf } from '../limits-of.js';
import { neededPolicies, policyArgs } from '../policy/policy-args.js';
import { searchPolicyTree, type FoundSection } from '../policy/search-policy-tree.js';
import type { ChooseSections } from '../policy/walk-tree.js';
import type { EvidenceSettings } from '../settings.js';

const NAME = 'pi_search';
/** Characters of a section's text in a result: the exact words are asked for by `spans_tighten`. */
const TEXT_LENGTH = 2_000;
const asks = z.strictObject({
  query: z.string().trim().min(1).max(500).describe('What to look for, in the words of the policy'),
  limit: z.number().int().min(1).max(10).default(4).describe('Sections at most'),
});
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

function nodeOf({ nodeId, title, path, pages, lines, text }: FoundSection) {
  const cut = text.length > TEXT_LENGTH;
  const places = { pages: pages && { ...pages }, lines: lines && { ...lines } };
  return { nodeId, title, path, ...places, text: cut ? text.slice(0, TEXT_LENGTH) : text, cut };
}
