import {
  z,
  type PolicyDocuments,
  type Tool,
  namesSection,
  sectionNumber,
  type PolicyKey,
} from '@casefile/contracts';
import { OWN_LOOK_UP, toolLimits, type EvidenceSettings } from '../settings.js';
import { sectionNode, neededPolicies, policyArgs, searchAsks } from '../policy/policy-args.js';
import { searchPolicyTree, sectionPath, type FoundSection } from '../policy/search-policy-tree.js';

const NAME = 'sections_search';
const args = z.strictObject({ ...searchAsks, ...policyArgs, related: z.boolean().default(false) });

/**
 * As `pi_search`, but always by keyword ranks and never by a model. Used by the heuristic controller. With
 * `related` also the sections that may change the found ones.
 */
export function findSections(
  settings: Pick<EvidenceSettings, 'limits'>,
  policies: PolicyDocuments | undefined,
): Tool {
  return {
    name: NAME,
    description: 'Searches the policy document by its words.',
    locality: 'local',
    reads: 'database',
    entityTypes: [],
    args,
    limits: toolLimits(NAME, { ...OWN_LOOK_UP, concurrency: 20 }, settings),
    async run(given, { signal }) {
      const { query, limit, related, ...policy } = args.parse(given);
      const documents = neededPolicies(policies);
      const found = await searchPolicyTree(documents, { policy, query, limit }, signal);
      const others = related ? await relatedSections(documents, policy, found.sections) : null;
      return {
        result: {
          ...policy,
          found: found.sections.length,
          nodes: found.sections.map(sectionNode),
          by: found.by,
          ...(others && { related: others.map(sectionNode) }),
          steps: found.steps.map((step) => ({ ...step })),
        },
        source: `policy ${policy.policyId} version ${policy.version}`,
      };
    },
  };
}

/** Sections containing the digits of a number that are read to check for a reference. */
const READ = 40;
/** Most sections that refer to a found section. */
const NAMING = 8;
/** Most related sections, including those under the same heading. */
const RELATED = 16;

/**
 * Sections that refer to one of these by number (`the period in section 4.1 is doubled`) and may change its
 * meaning, and sections under the same heading, which may state conditions. In document order, without the
 * given sections.
 */
export async function relatedSections(
  policies: PolicyDocuments,
  policy: PolicyKey,
  found: readonly FoundSection[],
): Promise<FoundSection[]> {
  const numbers = found.flatMap(({ title }) => sectionNumber(title) ?? []);
  if (numbers.length === 0) return [];
  const sought = [...new Set(numbers.flatMap(withThoseAbove))].join(' ');
  const ranked = await policies.searchPolicy(policy, sought, READ);
  const known = new Set(found.map(({ nodeId }) => nodeId));
  const candidates = await policies.policySections(
    policy,
    ranked.map(({ nodeId }) => nodeId).filter((id) => !known.has(id)),
  );
  const naming = candidates
    .filter(({ text }) => numbers.some((number) => namesSection(text, number)))
    .slice(0, NAMING);
  const tree = await policies.policyTree(policy);
  const parents = new Set(naming.map(({ parentId }) => parentId));
  // Sections without a heading above them are left out, because all of them would count as related.
  const siblings = tree.filter(({ parentId }) => parentId !== null && parents.has(parentId));
  const ids = [...new Set([...naming, ...siblings].map(({ nodeId }) => nodeId))]
    .filter((id) => !known.has(id))
    .slice(0, RELATED);
  const sections = await policies.policySections(policy, ids);
  return sections.map((section) => ({ ...section, path: sectionPath(section, tree) }));
}

/** `4`, `4.1` for `4.1`. */
function withThoseAbove(number: string): string[] {
  const parts = number.split('.');
  return parts.map((_part, i) => parts.slice(0, i + 1).join('.'));
}
