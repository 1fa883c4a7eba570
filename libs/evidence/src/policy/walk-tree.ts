import type { PolicyNode, Span } from '@casefile/contracts';

/** A section that may be looked into. */
export interface SectionChoice {
  nodeId: string;
  title: string;
  summary: string;
  pages: Span | null;
  /** Sections directly below it; 0: it is a leaf. With `own` its text alone is meant. */
  below: number;
  own: boolean;
}

export interface SectionQuestion {
  query: string;
  choices: readonly SectionChoice[];
  /** How many may be chosen. */
  limit: number;
}

/** Says which sections are worth a look, the best first: a model, or the ranks of words. Ids that were not offered do not count. */
export type ChooseSections = (question: SectionQuestion, signal: AbortSignal) => Promise<readonly string[]>;

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

/** S4-10: walks a policy's tree from its roots down; at every step the sections that are worth it are chosen. */
export async function walkTree(
  tree: readonly PolicyNode[],
  { query, limit }: { query: string; limit: number },
  choose: ChooseSections,
  signal: AbortSignal,
): Promise<Walk> {
  const children = childrenOf(tree);
  const leaves: string[] = [];
  const steps: WalkStep[] = [];
  let choices = (children.get(null) ?? []).map((node) => choiceOf(node, children));
  while (choices.length > 0) {
    signal.throwIfAborted();
    const chosen = await chosenOf({ query, choices, limit }, choose, signal);
    steps.push({ offered: choices.length, chosen: chosen.map(({ nodeId }) => nodeId) });
    leaves.push(...chosen.flatMap(({ nodeId, own, below }) => (own || below === 0 ? [nodeId] : [])));
    choices = chosen.flatMap(({ nodeId, own }) => (own ? [] : belowOf(nodeId, tree, children)));
  }
  return { leaves: [...new Set(leaves)], steps };
}

type Children = ReadonlyMap<string | null, readonly PolicyNode[]>;

function childrenOf(tree: readonly PolicyNode[]): Children {
  const children = new Map<string | null, PolicyNode[]>();
  for (const node of tree) {
    const siblings = children.get(node.parentId);
    if (siblings === undefined) children.set(node.parentId, [node]);
    else siblings.push(node);
  }
  return children;
}

function choiceOf(node: PolicyNode, children: Children, own = false): SectionChoice {
  const { nodeId, title, summary, pages } = node;
  return { nodeId, title, summary, pages, own, below: own ? 0 : (children.get(nodeId)?.length ?? 0) };
}

// A section that has both text and sections below it is offered again, as a leaf beside them.
function belowOf(nodeId: string, tree: readonly PolicyNode[], children: Children): SectionChoice[] {
  const below = children.get(nodeId) ?? [];
  const self = tree.find((node) => node.nodeId === nodeId);
  if (below.length === 0 || self === undefined) return [];
  const own = self.characters > 0 ? [choiceOf(self, children, true)] : [];
  return [...own, ...below.map((node) => choiceOf(node, children))];
}

async function chosenOf(
  question: SectionQuestion,
  choose: ChooseSections,
  signal: AbortSignal,
): Promise<SectionChoice[]> {
  const [only] = question.choices;
  // Nothing to choose: a document's title, most of the time.
  if (only !== undefined && question.choices.length === 1 && only.below > 0) return [only];
  const ids = [...new Set(await choose(question, signal))];
  const byId = new Map(question.choices.map((choice) => [choice.nodeId, choice]));
  return ids.flatMap((id) => byId.get(id) ?? []).slice(0, question.limit);
}
