import { asCasefileError, CasefileError, isWorkerError, type PolicyNode } from '@casefile/contracts';
import { treeChildren, policyOutline, type Children, type OfferedSection } from './outline.js';
import type { Walk, WalkStep } from './walk-tree.js';

export interface SectionQuestion {
  query: string;
  /** Part of the tree, in the order of the document. */
  sections: readonly OfferedSection[];
  /** Most sections to choose. */
  limit: number;
}

/** Returns ids of the relevant sections, the best first. Ids that were not offered are ignored. */
export type ChooseSections = (question: SectionQuestion, signal: AbortSignal) => Promise<readonly string[]>;

/** A walk led by a model. */
export interface ModelWalk extends Walk {
  /**
   * Reason why the model was not asked about the last opened sections, so that keywords chose there. null:
   * completed.
   */
  brokenOff: string | null;
}

/** Most questions per search, because each is paid. Keyword ranks choose below that in a deeper tree. */
const MOST_QUESTIONS = 3;

/**
 * Walks down a policy's tree, led by a model. One question shows as many levels as fit, which is all of most
 * documents. Chosen sections that hide others are opened in the next question. If a later question fails,
 * earlier results stay.
 * @param ranks how well a section, or the best one below it, matches the words; used where the tree is too
 * wide or deep.
 * @throws CasefileError `no_section_named`; errors of `choose` at the first question.
 */
export async function walkByModel(
  tree: readonly PolicyNode[],
  { query, limit }: { query: string; limit: number },
  choose: ChooseSections,
  ranks: ReadonlyMap<string, number>,
  signal: AbortSignal,
): Promise<ModelWalk> {
  const children = treeChildren(tree);
  const byId = new Map(tree.map((node) => [node.nodeId, node]));
  const leaves: string[] = [];
  const steps: WalkStep[] = [];
  let brokenOff: string | null = null;
  let roots = children.get(null) ?? [];
  while (roots.length > 0) {
    signal.throwIfAborted();
    const sections = policyOutline(roots, children, ranks, steps.length === 0 ? 1 : 2);
    const named = await choose({ query, sections, limit }, signal).catch((thrown: unknown) => {
      signal.throwIfAborted();
      if (steps.length === 0 || isWorkerError(thrown)) throw thrown;
      brokenOff = asCasefileError(thrown).reasonCode;
      return null;
    });
    if (named === null) {
      leaves.push(...roots.flatMap((node) => textIn(node, children, ranks)));
      break;
    }
    const chosen = namedOffered(named, sections).slice(0, limit);
    steps.push({ offered: sections.length, chosen: chosen.map(({ nodeId }) => nodeId) });
    const opens = steps.length < MOST_QUESTIONS ? chosen.filter(({ below }) => below > 0) : [];
    const ends = chosen.filter((section) => !opens.includes(section));
    leaves.push(...ends.flatMap(({ nodeId }) => textIn(byId.get(nodeId), children, ranks)));
    roots = opens.flatMap(({ nodeId }) => byId.get(nodeId) ?? []);
  }
  if (leaves.length > 0) return { leaves: [...new Set(leaves)], steps, brokenOff };
  throw new CasefileError('no_section_named', 'none of the sections that were offered was named');
}

function namedOffered(named: readonly string[], sections: readonly OfferedSection[]): OfferedSection[] {
  const offered = new Map(sections.map((section) => [section.nodeId, section]));
  return [...new Set(named)].flatMap((id) => offered.get(id) ?? []);
}

// A heading without text is represented by the best section below it.
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
    const text = textIn(child, children, ranks);
    if (text.length > 0) return text;
  }
  return [];
}
