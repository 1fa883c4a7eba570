import {
  asCasefileError,
  CasefileError,
  isWorkerError,
  type PolicyDocuments,
  type PolicyKey,
  type PolicyNode,
  type PolicySection,
} from '@casefile/contracts';
import { walkByModel, type ChooseSections } from './walk-by-model.js';
import { walkTree, type ChooseByWords, type WalkStep } from './walk-tree.js';

export interface PolicyQuestion {
  policy: PolicyKey;
  query: string;
  /** Maximum number of sections. */
  limit: number;
}

/** A section that may answer the question, with the titles above it. */
export interface FoundSection extends PolicySection {
  path: string[];
}

export interface PolicyAnswer {
  sections: FoundSection[];
  /** Method that chose the sections. */
  by: 'keywords' | 'model';
  /** Reason why keywords chose, from the start or later, although a model should; null: nothing failed. */
  fallbackReason: string | null;
  steps: WalkStep[];
}

/** Number of ranked sections: far more than a walk can reach. */
const RANKED = 200;

/**
 * Finds the sections of a policy that may answer a question. If there is a model, it leads the walk down the
 * tree. Without a model, or if its answer fails, is unusable or names no offered section, keyword ranks lead.
 * @throws CasefileError `unknown_policy`, errors of the store, and errors that concern the worker itself.
 */
export async function searchPolicyTree(
  policies: PolicyDocuments,
  { policy, query, limit }: PolicyQuestion,
  signal: AbortSignal,
  choose?: ChooseSections,
): Promise<PolicyAnswer> {
  signal.throwIfAborted();
  const tree = await policies.policyTree(policy);
  if (tree.length === 0) throw unknownPolicy(policy);
  const ranked = await policies.searchPolicy(policy, query, RANKED);
  const ranks = new Map(ranked.map(({ nodeId, rank }) => [nodeId, rank]));
  const { leaves, ...how } = await ledBy(choose, { tree, ranks, query, limit }, signal);
  const ids = leaves.slice(0, limit);
  const sections = new Map(
    (await policies.policySections(policy, ids)).map((section) => [section.nodeId, section]),
  );
  const matches = ids.flatMap((id) => sections.get(id) ?? []);
  return { sections: matches.map((section) => ({ ...section, path: sectionPath(section, tree) })), ...how };
}

interface Search {
  tree: readonly PolicyNode[];
  ranks: ReadonlyMap<string, number>;
  query: string;
  limit: number;
}

type TreeWalk = Omit<PolicyAnswer, 'sections'> & { leaves: string[] };

async function ledBy(
  choose: ChooseSections | undefined,
  search: Search,
  signal: AbortSignal,
): Promise<TreeWalk> {
  if (choose === undefined) return { ...byWords(search), fallbackReason: null };
  const { tree, ranks } = search;
  try {
    const best = bestBelow(tree, ranks);
    const { brokenOff, ...walk } = await walkByModel(tree, search, choose, best, signal);
    return { ...walk, by: 'model', fallbackReason: brokenOff };
  } catch (thrown) {
    signal.throwIfAborted();
    if (isWorkerError(thrown)) throw thrown;
    return { ...byWords(search), fallbackReason: asCasefileError(thrown).reasonCode };
  }
}

function byWords({ tree, ranks, limit }: Search): Omit<TreeWalk, 'fallbackReason'> {
  const { leaves, steps } = walkTree(tree, limit, byRanks(tree, ranks));
  const rankOf = (id: string): number => ranks.get(id) ?? 0;
  return { leaves: leaves.toSorted((a, b) => rankOf(b) - rankOf(a)), steps, by: 'keywords' };
}

/** Error for a policy that does not exist. */
export function unknownPolicy({ policyId, version }: PolicyKey): CasefileError {
  return new CasefileError(
    'unknown_policy',
    `There is no version ${version} of a policy ${JSON.stringify(policyId)}`,
  );
}

/** The rank of each section, or of the best one below it. */
function bestBelow(tree: readonly PolicyNode[], ranks: ReadonlyMap<string, number>): Map<string, number> {
  const best = new Map(ranks);
  // Children come after their parents, so in reverse order each section has the ranks of all its children.
  for (const { nodeId, parentId } of tree.toReversed()) {
    const rank = best.get(nodeId) ?? 0;
    if (parentId !== null && rank > (best.get(parentId) ?? 0)) best.set(parentId, rank);
  }
  return best;
}

function byRanks(tree: readonly PolicyNode[], ranks: ReadonlyMap<string, number>): ChooseByWords {
  const best = bestBelow(tree, ranks);
  return (choices, limit) =>
    choices
      .map(({ nodeId, own }) => ({ nodeId, rank: (own ? ranks : best).get(nodeId) ?? 0 }))
      .filter(({ rank }) => rank > 0)
      .sort((a, b) => b.rank - a.rank)
      .slice(0, limit)
      .map(({ nodeId }) => nodeId);
}

/** Titles above a section, the outermost first. */
export function sectionPath({ parentId }: PolicyNode, tree: readonly PolicyNode[]): string[] {
  const parent = tree.find(({ nodeId }) => nodeId === parentId);
  return parent === undefined ? [] : [...sectionPath(parent, tree), parent.title];
}
