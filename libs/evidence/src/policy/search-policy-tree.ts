import {
  CasefileError,
  type PolicyDocuments,
  type PolicyKey,
  type PolicyNode,
  type PolicySection,
} from '@casefile/contracts';
import { walkTree, type ChooseSections, type WalkStep } from './walk-tree.js';

export interface PolicyQuestion {
  policy: PolicyKey;
  query: string;
  /** Sections at most. */
  limit: number;
}

/** A section that may answer the question, with the titles above it. */
export interface FoundSection extends PolicySection {
  path: string[];
}

export interface PolicyAnswer {
  sections: FoundSection[];
  /** Who chose. */
  by: 'keywords' | 'chooser';
  steps: WalkStep[];
}

/** Sections whose ranks are asked for: far more than a walk can end in. */
const RANKED = 200;

/**
 * S4-10: the sections of a policy that may answer a question. A chooser (a model) leads the walk down the tree; without
 * one the ranks of words do: a section is worth as much as the best one below it.
 * @throws CasefileError `unknown_policy`, and what the chooser and the store throw.
 */
export async function searchPolicyTree(
  policies: PolicyDocuments,
  { policy, query, limit }: PolicyQuestion,
  signal: AbortSignal,
  chooser?: ChooseSections,
): Promise<PolicyAnswer> {
  const tree = await policies.policyTree(policy);
  if (tree.length === 0) throw unknownPolicy(policy);
  const ranks = chooser === undefined ? await ranksOf(policies, policy, query) : new Map<string, number>();
  const choose = chooser ?? byRanks(tree, ranks);
  const { leaves, steps } = await walkTree(tree, { query, limit }, choose, signal);
  const best =
    chooser === undefined ? leaves.toSorted((a, b) => (ranks.get(b) ?? 0) - (ranks.get(a) ?? 0)) : leaves;
  const ids = best.slice(0, limit);
  const sections = new Map(
    (await policies.policySections(policy, ids)).map((section) => [section.nodeId, section]),
  );
  const found = ids.flatMap((id) => sections.get(id) ?? []);
  return {
    sections: found.map((section) => ({ ...section, path: pathOf(section, tree) })),
    by: chooser === undefined ? 'keywords' : 'chooser',
    steps,
  };
}

/** What is said of a policy that is not there. */
export function unknownPolicy({ policyId, version }: PolicyKey): CasefileError {
  return new CasefileError(
    'unknown_policy',
    `There is no version ${version} of a policy ${JSON.stringify(policyId)}`,
  );
}

async function ranksOf(
  policies: PolicyDocuments,
  policy: PolicyKey,
  query: string,
): Promise<Map<string, number>> {
  const ranked = await policies.searchPolicy(policy, query, RANKED);
  return new Map(ranked.map(({ nodeId, rank }) => [nodeId, rank]));
}

/** Chooses by ranks; a section with others below it by the best of them. */
export function byRanks(tree: readonly PolicyNode[], ranks: ReadonlyMap<string, number>): ChooseSections {
  const best = new Map(ranks);
  // Children stand after their parents: from the last to the first, each has all of its own by then.
  for (const { nodeId, parentId } of tree.toReversed()) {
    const rank = best.get(nodeId) ?? 0;
    if (parentId !== null && rank > (best.get(parentId) ?? 0)) best.set(parentId, rank);
  }
  return async ({ choices, limit }) =>
    choices
      .map(({ nodeId, own }) => ({ nodeId, rank: (own ? ranks : best).get(nodeId) ?? 0 }))
      .filter(({ rank }) => rank > 0)
      .sort((a, b) => b.rank - a.rank)
      .slice(0, limit)
      .map(({ nodeId }) => nodeId);
}

/** The titles above a section, the outermost first. */
export function pathOf({ parentId }: PolicyNode, tree: readonly PolicyNode[]): string[] {
  const parent = tree.find(({ nodeId }) => nodeId === parentId);
  return parent === undefined ? [] : [...pathOf(parent, tree), parent.title];
}
