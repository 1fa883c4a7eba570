/** As much of a Markdown tree as is needed here. */
export interface MarkdownNode {
  type: string;
  value?: string;
  url?: string;
  children?: MarkdownNode[];
}

const CITATION = /\[(E\d{1,5})\]/g;

/** A remark plugin: `[E3]` becomes a link to `#E3` where E3 is known. Code and links are left as they are. */
export function linkCitations(known: ReadonlySet<string> = new Set()) {
  return (tree: MarkdownNode): void => linkIn(tree, known);
}

function linkIn(node: MarkdownNode, known: ReadonlySet<string>): void {
  if (node.children === undefined || node.type === 'link') return;
  node.children = node.children.flatMap((child) => {
    if (child.type === 'text') return partsOf(child.value ?? '', known);
    linkIn(child, known);
    return [child];
  });
}

function partsOf(text: string, known: ReadonlySet<string>): MarkdownNode[] {
  const parts: MarkdownNode[] = [];
  let from = 0;
  for (const match of text.matchAll(CITATION)) {
    const id = match[1] ?? '';
    if (!known.has(id)) continue;
    if (match.index > from) parts.push({ type: 'text', value: text.slice(from, match.index) });
    parts.push({ type: 'link', url: `#${id}`, children: [{ type: 'text', value: id }] });
    from = match.index + match[0].length;
  }
  if (from < text.length || parts.length === 0) parts.push({ type: 'text', value: text.slice(from) });
  return parts;
}
