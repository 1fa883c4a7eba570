import {
  z,
  type PolicyDocuments,
  type Tool,
  namesSection,
  sectionNumber,
  type PolicyKey,
  type PolicyNode,
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
    async run(input, { signal }) {
      const { query, limit, related, ...policy } = args.parse(input);
      const documents = neededPolicies(policies);
      const matches = await searchPolicyTree(documents, { policy, query, limit }, signal);
      const others = related ? await relatedSections(documents, policy, query, matches.sections) : null;
      return {
        result: {
          ...policy,
          found: matches.sections.length,
          nodes: matches.sections.map(sectionNode),
          by: matches.by,
          ...(others && { related: others.map(sectionNode) }),
          steps: matches.steps.map((step) => ({ ...step })),
        },
        source: `policy ${policy.policyId} version ${policy.version}`,
      };
    },
  };
}

/** Sections containing the digits of a number that are read to check for a reference. */
const READ = 40;
/** Most sections that refer to a found section. */
const MOST_SECTIONS_BY_NUMBER = 8;
/** Most related sections that refer to a found one or stand under the same heading. */
const RELATED = 16;
/** Most further sections, and characters of them. A policy below these limits is returned as a whole. */
const FURTHER = 60;
const FURTHER_CHARACTERS = 24_000;

/**
 * Sections that may change the meaning of the found ones, without these: those that refer to one by number (`the
 * period in section 4.1 is doubled`), those under the same heading, then those with words of the query, then the
 * first others of the document, as far as they fit.
 */
export async function relatedSections(
  policies: PolicyDocuments,
  policy: PolicyKey,
  query: string,
  matches: readonly FoundSection[],
): Promise<FoundSection[]> {
  const tree = await policies.policyTree(policy);
  const known = new Set(matches.map(({ nodeId }) => nodeId));
  const referring = await referringSections(policies, policy, matches, tree);
  for (const nodeId of referring) known.add(nodeId);
  const ranked = await policies.searchPolicy(policy, query, FURTHER);
  const sizes = new Map(tree.map(({ nodeId, characters }) => [nodeId, characters]));
  const further: string[] = [];
  let left = FURTHER_CHARACTERS;
  for (const { nodeId } of [...ranked, ...tree]) {
    const size = sizes.get(nodeId) ?? 0;
    if (known.has(nodeId) || size === 0 || size > left || further.length >= FURTHER) continue;
    known.add(nodeId);
    further.push(nodeId);
    left -= size;
  }
  const sections = await policies.policySections(policy, [...referring, ...further]);
  return sections.map((section) => ({ ...section, path: sectionPath(section, tree) }));
}

async function referringSections(
  policies: PolicyDocuments,
  policy: PolicyKey,
  sections: readonly FoundSection[],
  tree: readonly PolicyNode[],
): Promise<string[]> {
  const numbers = sections.flatMap(({ title }) => sectionNumber(title) ?? []);
  if (numbers.length === 0) return [];
  const sought = [...new Set(numbers.flatMap(withThoseAbove))].join(' ');
  const ranked = await policies.searchPolicy(policy, sought, READ);
  const known = new Set(sections.map(({ nodeId }) => nodeId));
  const candidates = await policies.policySections(
    policy,
    ranked.map(({ nodeId }) => nodeId).filter((id) => !known.has(id)),
  );
  const naming = candidates
    .filter(({ text }) => numbers.some((number) => namesSection(text, number)))
    .slice(0, MOST_SECTIONS_BY_NUMBER);
  const parents = new Set(naming.map(({ parentId }) => parentId));
  // Sections without a heading above them are left out, because all of them would count as related.
  const siblings = tree.filter(({ parentId }) => parentId !== null && parents.has(parentId));
  return [...new Set([...naming, ...siblings].map(({ nodeId }) => nodeId))]
    .filter((id) => !known.has(id))
    .slice(0, RELATED);
}

/** `4`, `4.1` for `4.1`. */
function withThoseAbove(number: string): string[] {
  const parts = number.split('.');
  return parts.map((_part, i) => parts.slice(0, i + 1).join('.'));
}
