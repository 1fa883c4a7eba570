import type { PolicyNode } from '@casefile/contracts';
import { treeChildren, type Children } from './outline.js';

/** A section that can be chosen. */
export interface SectionChoice {
  nodeId: string;
  /** Number of sections directly below it; 0: a leaf. With `own` only the section's own text is offered. */
  below: number;
  own: boolean;
}

/** Returns ids of the relevant sections, the best first, by keyword ranks. */
export type ChooseByWords = (choices: readonly SectionChoice[], limit: number) => readonly string[];

/** One step down a tree: number of offered sections, and the chosen ones. */
export interface WalkStep {
  offered: number;
  chosen: string[];
}

export interface Walk {
  /** Sections whose own text may answer the query, in the order they were reached. */
  leaves: string[];
  steps: WalkStep[];
}

/** Walks a policy's tree from its roots down, level by level, because choosing by words costs nothing. */
export function walkTree(tree: readonly PolicyNode[], limit: number, choose: ChooseByWords): Walk {
  const children = treeChildren(tree);
  const leaves: string[] = [];
  const steps: WalkStep[] = [];
  let choices = (children.get(null) ?? []).map((node) => policyNodeChoice(node, children));
  while (choices.length > 0) {
    const chosen = chosenSections(choices, limit, choose);
    steps.push({ offered: choices.length, chosen: chosen.map(({ nodeId }) => nodeId) });
    leaves.push(...chosen.flatMap(({ nodeId, own, below }) => (own || below === 0 ? [nodeId] : [])));
    choices = chosen.flatMap(({ nodeId, own }) => (own ? [] : choicesBelow(nodeId, tree, children)));
  }
  return { leaves: [...new Set(leaves)], steps };
}

function policyNodeChoice({ nodeId }: PolicyNode, children: Children, own = false): SectionChoice {
  return { nodeId, own, below: own ? 0 : (children.get(nodeId)?.length ?? 0) };
}

// A section with both text and sections below it is offered again as a leaf, next to those sections.
function choicesBelow(nodeId: string, tree: readonly PolicyNode[], children: Children): SectionChoice[] {
  const below = children.get(nodeId) ?? [];
  const self = tree.find((node) => node.nodeId === nodeId);
  if (below.length === 0 || self === undefined) return [];
  const own = self.characters > 0 ? [policyNodeChoice(self, children, true)] : [];
  return [...own, ...below.map((node) => policyNodeChoice(node, children))];
}

function chosenSections(
  choices: readonly SectionChoice[],
  limit: number,
  choose: ChooseByWords,
): SectionChoice[] {
  const [only] = choices;
  // A single section needs no choice; it is usually the document's title.
  if (only !== undefined && choices.length === 1 && only.below > 0) return [only];
  const byId = new Map(choices.map((choice) => [choice.nodeId, choice]));
  return choose(choices, limit).flatMap((id) => byId.get(id) ?? []);
}
