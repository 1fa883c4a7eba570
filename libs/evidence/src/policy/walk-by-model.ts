import { asCasefileError, CasefileError, isOfTheWorker, type PolicyNode } from '@casefile/contracts';
import { childrenOf, outlineOf, type Children, type OfferedSection } from './outline.js';
import type { Walk, WalkStep } from './walk-tree.js';

export interface SectionQuestion {
  query: string;
  /** Part of the tree, in the order of the document. */
  sections: readonly OfferedSection[];
  /** How many may be chosen. */
  limit: number;
}

/** Says which sections are worth a look, the best first. Ids that were not offered do not count. */
export type ChooseSections = (question: SectionQuestion, signal: AbortSignal) => Promise<readonly string[]>;

/** A walk that a model led. */
export interface ModelWalk extends Walk {
  /** Why what was opened last was not asked about any more: words chose in it. null: it was led to its end. */
  brokenOff: string | null;
}

/** Questions of one search: each is paid for, and a tree that is deeper is gone down by the ranks of words from there. */
const MOST_QUESTIONS = 3;

/**
 * S4-10: a walk down a policy's tree that a model leads. It is shown as many levels at once as fit, which is the whole of most
 * documents: one question. What it chooses that hides more is opened in the next one.
 * @param ranks how well a section, or the best one below it, matches the words: for what is too wide, or too deep, to be shown.
 * A later question that fails leaves what the earlier ones found.
 * @throws CasefileError `no_section_named`, and what `choose` throws at the first question.
 */
export async function walkByModel(
  tree: readonly PolicyNode[],
  { query, limit }: { query: string; limit: number },
  choose: ChooseSections,
  ranks: ReadonlyMap<string, number>,
  signal: AbortSignal,
): Promise<ModelWalk> {
  const children = childrenOf(tree);
  const byId = new Map(tree.map((node) => [node.nodeId, node]));
  const leaves: string[] = [];
  const steps: WalkStep[] = [];
  let brokenOff: string | null = null;
  let roots = children.get(null) ?? [];
  while (roots.length > 0) {
    signal.throwIfAborted();
    const sections = outlineOf(roots, children, ranks, steps.length === 0 ? 1 : 2);
    const named = await choose({ query, sections, limit }, signal).catch((thrown: unknown) => {
      signal.throwIfAborted();
      if (steps.length === 0 || isOfTheWorker(thrown)) throw thrown;
      brokenOff = asCasefileError(thrown).reasonCode;
      return null;
    });
    if (named === null) {
      leaves.push(...roots.flatMap((node) => textIn(node, children, ranks)));
      break;
    }
    const chosen = offeredOf(named, sections).slice(0, limit);
    steps.push({ offered: sections.length, chosen: chosen.map(({ nodeId }) => nodeId) });
    const opens = steps.length < MOST_QUESTIONS ? chosen.filter(({ below }) => below > 0) : [];
    const ends = chosen.filter((section) => !opens.includes(section));
    leaves.push(...ends.flatMap(({ nodeId }) => textIn(byId.get(nodeId), children, ranks)));
    roots = opens.flatMap(({ nodeId }) => byId.get(nodeId) ?? []);
  }
  if (leaves.length > 0) return { leaves: [...new Set(leaves)], steps, brokenOff };
  throw new CasefileError('no_section_named', 'none of the sections that were offered was named');
}

function offeredOf(named: readonly string[], sections: readonly OfferedSection[]): OfferedSection[] {
  const offered = new Map(sections.map((section) => [section.nodeId, section]));
  return [...new Set(named)].flatMap((id) => offered.get(id) ?? []);
}

// A heading without a text of its own stands for the best of what is below it.
function textIn(
  node: PolicyNode | undefined,
  children: Children,
  ranks: ReadonlyMap<string, number>,
): string[] {
  if (node === undefined) return [];
  if (node.characters > 0) return [node.nodeId];
  const below = children.get(node.nodeId) ?? [];
  const best = below.toSorted((a, b) => (ranks.get(b.nodeId) ?? 0) - (ranks.get(a.nodeId) ?? 0));
  for (const child of best) {
    const found = textIn(child, children, ranks);
    if (found.length > 0) return found;
  }
  return [];
}
