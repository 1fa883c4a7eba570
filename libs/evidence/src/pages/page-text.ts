import type { PageElement, PageNode } from './dom.js';

const TEXT_NODE = 3;
const ELEMENT_NODE = 1;

/** Elements without text of a page. */
const LEFT_OUT = new Set(
  'HEAD SCRIPT STYLE TEMPLATE NOSCRIPT NAV BUTTON FORM IFRAME SVG SELECT HEADER FOOTER ASIDE'.split(' '),
);
/** Elements that begin a paragraph. */
const BLOCKS = new Set(
  'P DIV H1 H2 H3 H4 H5 H6 LI UL OL DL DT DD TR TABLE BLOCKQUOTE PRE SECTION ARTICLE FIGURE FIGCAPTION MAIN BODY HR'.split(
    ' ',
  ),
);
/** Elements between whose texts stands a blank. */
const CELLS = new Set(['TD', 'TH']);

/**
 * Returns the visible text of an element, one paragraph per line, with an empty line between them. The walk needs no
 * recursion and ends after `most` characters.
 */
export function visibleText(root: PageNode, most: number): string {
  const parts: string[] = [];
  let length = 0;
  for (let node: PageNode | null = root; node !== null && length < most;) {
    const isElement = node.nodeType === ELEMENT_NODE;
    const name: string = isElement ? (node as PageElement).tagName.toUpperCase() : '';
    const isShown = !isElement || node === root || !isHidden(node as PageElement, name);
    if (node.nodeType === TEXT_NODE) {
      const text = (node.nodeValue ?? '').replace(/\s+/g, ' ');
      parts.push(text);
      length += text.length;
    } else if (isShown) parts.push(breakOf(name));
    if (isShown && node.firstChild !== null) node = node.firstChild;
    else node = following(node, root, parts);
  }
  return paragraphsIn(parts.join('')).slice(0, most);
}

function isHidden(element: PageElement, name: string): boolean {
  return (
    LEFT_OUT.has(name) || element.hasAttribute('hidden') || element.getAttribute('aria-hidden') === 'true'
  );
}

/** The next node in the order of the document outside this one; null: there is none. */
function following(from: PageNode, root: PageNode, parts: string[]): PageNode | null {
  for (let node: PageNode | null = from; node !== null && node !== root; node = node.parentNode) {
    if (node.nodeType === ELEMENT_NODE) parts.push(breakOf((node as PageElement).tagName.toUpperCase()));
    if (node.nextSibling !== null) return node.nextSibling;
  }
  return null;
}

function breakOf(name: string): string {
  if (BLOCKS.has(name)) return '\n\n';
  return name === 'BR' ? '\n' : CELLS.has(name) ? ' ' : '';
}

function paragraphsIn(text: string): string {
  const lines = text.split('\n').map((line) => line.replace(/ {2,}/g, ' ').trim());
  return lines
    .filter((line, i) => line !== '' || (i > 0 && lines[i - 1] !== ''))
    .join('\n')
    .trim();
}
