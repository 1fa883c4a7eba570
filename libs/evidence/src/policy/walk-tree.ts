import type { PolicyNode } from '@casefile/contracts';
import { childrenOf, type Children } from './outline.js';

/** A section that may be looked into. */
export interface SectionChoice {
  nodeId: string;
  /** Sections directly below it; 0: it is a leaf. With `own` its text alone is meant. */
  below: number;
  own: boolean;
}

/** Says which of these are worth a look, the best first, by the ranks of words. */
export type ChooseByWords = (choices: readonly SectionChoice[], limit: number) => readonly string[];

/** One step down a tree: how many sections were offered, and which were chosen. */
export interface WalkStep {
  offered: number;
  chosen: string[];
}

export interface Walk {
  /** Sections whose own text may answer the query, in the order they were reached. */
  leaves: string[];
  steps: WalkStep[];
}

/** Walks a policy's tree from its roots down, level by level, for choosing by words costs nothing. S4-10. */
export function walkTree(tree: readonly PolicyNode[], limit: number, choose: ChooseByWords): Walk {
  const children = childrenOf(tree);
  const leaves: string[] = [];
  const steps: WalkStep[] = [];
  let choices = (children.get(null) ?? []).map((node) => choiceOf(node, children));
  while (choices.length > 0) {
    const chosen = chosenOf(choices, limit, choose);
    steps.push({ offered: choices.length, chosen: chosen.map(({ nodeId }) => nodeId) });
    leaves.push(...chosen.flatMap(({ nodeId, own, below }) => (own || below === 0 ? [nodeId] : [])));
    choices = chosen.flatMap(({ nodeId, own }) => (own ? [] : belowOf(nodeId, tree, children)));
  }
  return { leaves: [...new Set(leaves)], steps };
}

function choiceOf({ nodeId }: PolicyNode, children: Children, own = false): SectionChoice {
  return { nodeId, own, below: own ? 0 : (children.get(nodeId)?.length ?? 0) };
}

// A section that has both text and sections below it is offered again, as a leaf beside them.
function belowOf(nodeId: string, tree: readonly PolicyNode[], children: Children): SectionChoice[] {
  const below = children.get(nodeId) ?? [];
  const self = tree.find((node) => node.nodeId === nodeId);
  if (below.length === 0 || self === undefined) return [];
  const own = self.characters > 0 ? [choiceOf(self, children, true)] : [];
  return [...own, ...below.map((node) => choiceOf(node, children))];
}

function chosenOf(choices: readonly SectionChoice[], limit: number, choose: ChooseByWords): SectionChoice[] {
  const [only] = choices;
  // Nothing to choose: a document's title, most of the time.
  if (only !== undefined && choices.length === 1 && only.below > 0) return [only];
  const byId = new Map(choices.map((choice) => [choice.nodeId, choice]));
  return choose(choices, limit).flatMap((id) => byId.get(id) ?? []);
}
