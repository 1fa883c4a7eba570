/** The fields of a Markdown tree that are used here. */
export interface MarkdownNode {
  type: string;
  value?: string;
  url?: string;
  children?: MarkdownNode[];
}

/** Fragment of each piece of evidence on the page, by its id: `E3` -> `#E3`. */
export type EvidenceLinks = ReadonlyMap<string, string>;

const CITATION = /\[(E\d{1,5}(?: ?, ?E\d{1,5}){0,50})\]/g;

/** A piece of a text: words, or with `href` a citation that leads to its evidence. */
export interface CitedPart {
  text: string;
  href?: string;
}

/** Splits a text at its citations, `[E3]` or `[E3, E5]`. Ids that `links` does not know stay words. */
export function citedParts(text: string, links: EvidenceLinks): CitedPart[] {
  const parts: CitedPart[] = [];
  let from = 0;
  for (const match of text.matchAll(CITATION)) {
    const ids = (match[1] ?? '').split(/ ?, ?/);
    if (!ids.some((id) => links.has(id))) continue;
    if (match.index > from) parts.push({ text: text.slice(from, match.index) });
    ids.forEach((id, i) => {
      const href = links.get(id);
      if (i > 0) parts.push({ text: ' ' });
      parts.push(href === undefined ? { text: `[${id}]` } : { text: id, href });
    });
    from = match.index + match[0].length;
  }
  if (from < text.length || parts.length === 0) parts.push({ text: text.slice(from) });
  return parts;
}

/** A remark plugin that turns `[E3]` into a link if the evidence exists. Code and links stay unchanged. */
export function linkCitations(links: EvidenceLinks = new Map()) {
  return (tree: MarkdownNode): void => linkIn(tree, links);
}

function linkIn(node: MarkdownNode, links: EvidenceLinks): void {
  if (node.children === undefined || node.type === 'link') return;
  node.children = node.children.flatMap((child) => {
    if (child.type === 'text') return citedParts(child.value ?? '', links).map(citedPartNode);
    linkIn(child, links);
    return [child];
  });
}

function citedPartNode({ text, href }: CitedPart): MarkdownNode {
  const words = { type: 'text', value: text };
  return href === undefined ? words : { type: 'link', url: href, children: [words] };
}
