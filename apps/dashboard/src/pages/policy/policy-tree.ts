import type { PolicyNode } from '@casefile/contracts';

/** A section as a row of the tree. */
export interface TreeRow {
  node: PolicyNode;
  /** Starts at 1. */
  depth: number;
  /** Number of direct subsections. */
  below: number;
  isOpen: boolean;
  /** Position among the nodes with the same parent, starting at 1, and the number of these nodes. */
  place: number;
  of: number;
}

/** Returns the visible sections if these are open, in the order of the document. */
export function treeRows(nodes: readonly PolicyNode[], open: ReadonlySet<string>): TreeRow[] {
  const counts = new Map<string | null, number>();
  for (const { parentId } of nodes) counts.set(parentId, (counts.get(parentId) ?? 0) + 1);
  const depths = new Map<string, number>();
  const places = new Map<string | null, number>();
  const rows: TreeRow[] = [];
  for (const node of nodes) {
    const { nodeId, parentId } = node;
    const place = (places.get(parentId) ?? 0) + 1;
    places.set(parentId, place);
    const above = parentId === null ? 0 : open.has(parentId) ? depths.get(parentId) : undefined;
    if (above === undefined) continue;
    depths.set(nodeId, above + 1);
    const below = counts.get(nodeId) ?? 0;
    const isOpen = below > 0 && open.has(nodeId);
    rows.push({ node, depth: above + 1, below, isOpen, place, of: counts.get(parentId) ?? 1 });
  }
  return rows;
}

/** Returns the ancestors of a section, the outermost first. */
export function nodeAncestors(nodes: readonly PolicyNode[], nodeId: string): PolicyNode[] {
  const byId = new Map(nodes.map((node) => [node.nodeId, node]));
  const path: PolicyNode[] = [];
  let parentId = byId.get(nodeId)?.parentId ?? null;
  while (parentId !== null) {
    const parent = byId.get(parentId);
    if (parent === undefined || path.includes(parent)) break;
    path.unshift(parent);
    parentId = parent.parentId;
  }
  return path;
}

/**
 * Returns the nodes that are open at first: the ancestors of a section, and the root if there is only one.
 */
export function openAtFirst(nodes: readonly PolicyNode[], nodeId: string): Set<string> {
  const roots = nodes.filter(({ parentId }) => parentId === null);
  const [root] = roots;
  const open = new Set(nodeAncestors(nodes, nodeId).map((node) => node.nodeId));
  if (roots.length === 1 && root !== undefined) open.add(root.nodeId);
  return open.add(nodeId);
}

/** Returns the section to show: the requested section, else the first section that has text. */
export function shownNode(nodes: readonly PolicyNode[], requestedId: string | null): PolicyNode | undefined {
  if (requestedId !== null) return nodes.find(({ nodeId }) => nodeId === requestedId);
  return nodes.find(({ characters }) => characters > 0) ?? nodes[0];
}
