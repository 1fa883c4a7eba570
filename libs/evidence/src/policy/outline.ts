import type { PolicyNode } from '@casefile/contracts';

/** A section as offered to the model or rule that leads a search. */
export interface OfferedSection {
  nodeId: string;
  title: string;
  /** Shortened to the available room; empty if there is none. */
  summary: string;
  /** 0 for the outermost offered sections. */
  depth: number;
  /**
   * Number of sections directly below it that are not offered and can be opened. 0: nothing is hidden below
   * it.
   */
  below: number;
}

/**
 * Characters offered in one question, titles and summaries: with the rest of the question about 1,000 English
 * tokens.
 */
const BUDGET = 3_400;
/** Share of the budget for titles; the rest is for summaries. */
const SHARE_OF_TITLES = 0.85;
/** Characters of a line in addition to title and summary: id, brackets, indentation. */
const LINE_OVERHEAD = 10;
const TITLE_LENGTH = 120;
/** Between title and summary. */
const SEPARATOR = 3;
const SHORTEST_SUMMARY = 24;
const MIDDLING_SUMMARY = 80;
const LONGEST_SUMMARY = 200;

export type Children = ReadonlyMap<string | null, readonly PolicyNode[]>;

interface Line {
  node: PolicyNode;
  depth: number;
}

/** Sections by parent, in the order of the document. */
export function treeChildren(tree: readonly PolicyNode[]): Children {
  const children = new Map<string | null, PolicyNode[]>();
  for (const node of tree) {
    const siblings = children.get(node.parentId);
    if (siblings === undefined) children.set(node.parentId, [node]);
    else siblings.push(node);
  }
  return children;
}

/**
 * Returns as many levels below `roots` as fit, but at least `levels`. Remaining room goes to the best-ranked
 * sections of deeper levels, then to summaries. If even `levels` do not fit, the best-ranked sections and
 * their ancestors stay.
 * @param ranks how well a section, or the best one below it, matches the words of the query.
 */
export function policyOutline(
  roots: readonly PolicyNode[],
  children: Children,
  ranks: ReadonlyMap<string, number>,
  levels: number,
): OfferedSection[] {
  let lines = nodeLines(roots, children, levels);
  for (let more = levels + 1; ; more += 1) {
    const wider = nodeLines(roots, children, more);
    if (wider.length === lines.length || lineSize(wider) > BUDGET) break;
    lines = wider;
  }
  const kept =
    lineSize(lines) > BUDGET ? bestLines(lines, ranks) : withBestBelow(lines, roots, children, ranks);
  const ids = new Set(kept.map(({ node }) => node.nodeId));
  const hidden = ({ nodeId }: PolicyNode) =>
    (children.get(nodeId) ?? []).filter((child) => !ids.has(child.nodeId));
  const showsBelow = (node: PolicyNode) => hidden(node).length < (children.get(node.nodeId)?.length ?? 0);
  const summaries = summariesFor(kept, BUDGET - lineSize(kept), ranks, showsBelow);
  return kept.map(({ node, depth }) => {
    const { nodeId } = node;
    const summary = summaries.get(nodeId) ?? '';
    return { nodeId, title: policyNodeTitle(node), summary, depth, below: hidden(node).length };
  });
}

// The sections below a heading are shown all together or not at all, so that every choice there is visible.
// The model is asked again only about headings that share no word with the question.
function withBestBelow(
  lines: readonly Line[],
  roots: readonly PolicyNode[],
  children: Children,
  ranks: ReadonlyMap<string, number>,
): Line[] {
  const rankOf = ({ node }: Line): number => ranks.get(node.nodeId) ?? 0;
  const all = nodeLines(roots, children, Number.POSITIVE_INFINITY);
  const kept = new Set(lines.map(({ node }) => node.nodeId));
  let room = BUDGET * SHARE_OF_TITLES - lineSize(lines);
  // Outer headings first; headings of one depth in the order of their rank.
  const headings = all.filter((line) => rankOf(line) > 0);
  for (const line of headings.toSorted((x, y) => x.depth - y.depth || rankOf(y) - rankOf(x))) {
    const { nodeId } = line.node;
    const below = (children.get(nodeId) ?? []).filter((child) => !kept.has(child.nodeId));
    const size = lineSize(below.map((node) => ({ node, depth: line.depth + 1 })));
    if (!kept.has(nodeId) || size > room) continue;
    room -= size;
    for (const child of below) kept.add(child.nodeId);
  }
  return all.filter(({ node }) => kept.has(node.nodeId));
}

// Each section gets an equal share. If that is too short, the sections with the best ranks get theirs first.
function summariesFor(
  lines: readonly Line[],
  room: number,
  ranks: ReadonlyMap<string, number>,
  shows: (node: PolicyNode) => boolean,
): Map<string, string> {
  const even = Math.floor(room / Math.max(1, lines.length)) - SEPARATOR;
  const most = even >= SHORTEST_SUMMARY ? Math.min(even, LONGEST_SUMMARY) : MIDDLING_SUMMARY;
  const rankOf = ({ node }: Line): number => ranks.get(node.nodeId) ?? 0;
  const summaries = new Map<string, string>();
  let left = room;
  for (const { node } of lines.toSorted((a, b) => rankOf(b) - rankOf(a))) {
    const summary = policyNodeSummary(node, shows(node), most);
    if (summary.length + SEPARATOR > left) break;
    left -= summary === '' ? 0 : summary.length + SEPARATOR;
    summaries.set(node.nodeId, summary);
  }
  return summaries;
}

function nodeLines(nodes: readonly PolicyNode[], children: Children, levels: number, depth = 0): Line[] {
  if (levels === 0) return [];
  return nodes.flatMap((node) => [
    { node, depth },
    ...nodeLines(children.get(node.nodeId) ?? [], children, levels - 1, depth + 1),
  ]);
}

function lineSize(lines: readonly Line[]): number {
  return lines.reduce((sum, line) => sum + lineWidth(line), 0);
}

function lineWidth({ node, depth }: Line): number {
  return policyNodeTitle(node).length + LINE_OVERHEAD + depth;
}

// A line is kept only with its ancestors: they rank at least as high, and of equal ranks the outer line comes
// first.
function bestLines(lines: readonly Line[], ranks: ReadonlyMap<string, number>): Line[] {
  const rankOf = ({ node }: Line): number => ranks.get(node.nodeId) ?? 0;
  const order = lines.toSorted((a, b) => rankOf(b) - rankOf(a) || a.depth - b.depth);
  const kept = new Set<Line>();
  let size = 0;
  for (const line of order) {
    size += lineWidth(line);
    if (size > BUDGET) break;
    kept.add(line);
  }
  return lines.filter((line) => kept.has(line));
}

function policyNodeTitle({ title }: PolicyNode): string {
  return title.length > TITLE_LENGTH ? `${title.slice(0, TITLE_LENGTH)}…` : title;
}

// A summary of what is below a section adds nothing if that is offered itself.
function policyNodeSummary({ summary, characters }: PolicyNode, belowIsShown: boolean, most: number): string {
  const all = belowIsShown ? (characters === 0 ? '' : (summary.split(' Below: ')[0] ?? '')) : summary;
  if (all.length <= most) return all;
  return `${all.slice(0, Math.max(all.lastIndexOf(' ', most - 1), Math.floor(most / 2)))}…`;
}
