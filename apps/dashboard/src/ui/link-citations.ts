/** As much of a Markdown tree as is needed here. */
export interface MarkdownNode {
  type: string;
  value?: string;
  url?: string;
  children?: MarkdownNode[];
}

/** Where each piece of evidence is on the page, by its id: `E3` -> `#E3`. */
export type EvidenceLinks = ReadonlyMap<string, string>;

const CITATION = /\[(E\d{1,5})\]/g;

/** A remark plugin: `[E3]` becomes a link to the evidence where there is one. Code and links are left as they are. */
export function linkCitations(links: EvidenceLinks = new Map()) {
  return (tree: MarkdownNode): void => linkIn(tree, links);
}

function linkIn(node: MarkdownNode, links: EvidenceLinks): void {
  if (node.children === undefined || node.type === 'link') return;
  node.children = node.children.flatMap((child) => {
    if (child.type === 'text') return partsOf(child.value ?? '', links);
    linkIn(child, links);
    return [child];
  });
}

function partsOf(text: string, links: EvidenceLinks): MarkdownNode[] {
  const parts: MarkdownNode[] = [];
  let from = 0;
  for (const match of text.matchAll(CITATION)) {
    const id = match[1] ?? '';
    const url = links.get(id);
    if (url === undefined) continue;
    if (match.index > from) parts.push({ type: 'text', value: text.slice(from, match.index) });
    parts.push({ type: 'link', url, children: [{ type: 'text', value: id }] });
    from = match.index + match[0].length;
  }
  if (from < text.length || parts.length === 0) parts.push({ type: 'text', value: text.slice(from) });
  return parts;
}
