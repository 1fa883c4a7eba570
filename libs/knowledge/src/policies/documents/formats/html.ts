import type { Element, Nodes, Root } from 'hast';
import { fromHtml } from 'hast-util-from-html';
import { headingRank } from 'hast-util-heading-rank';
import { toText } from 'hast-util-to-text';
import type { Block, DocumentParser } from '../block.js';
import { tableRow } from './plain-tables.js';
import { decodeText } from '../decode-text.js';
import { MAX_DEPTH, refuseDeep, refuseManyBlocks } from '../document-limits.js';

/** Elements without text of the policy. */
const LEFT_OUT = new Set([
  'head',
  'script',
  'style',
  'template',
  'noscript',
  'nav',
  'button',
  'form',
  'iframe',
  'svg',
]);
/** Elements that begin a heading, a paragraph or an item. */
const BLOCK = /<(?:h[1-6]|p|li|dt|dd|tr|blockquote|pre)\b/gi;
/** Links to themselves that generators add after headings. */
const PERMALINK = /(?<!\s)\s*[¶§#\uf0c1]\s*$/;

/** HTML: `h1` to `h6` at any depth make the sections; scripts, styles and navigation are left out. */
export const html: DocumentParser = {
  async parse(bytes) {
    const text = decodeText(bytes, 'html');
    refuseManyBlocks(text.match(BLOCK)?.length ?? 0);
    const root = fromHtml(text);
    refuseDeep(rootDepth(root));
    const blocks = rootBlocks(root);
    const page = find(root, 'html');
    const title = find(root, 'title');
    const language = page?.properties['lang'] ?? page?.properties['xmlLang'];
    return {
      blocks,
      title: title === undefined ? null : oneLine(toText(title)) || null,
      language: typeof language === 'string' && language !== '' ? language : null,
      pages: null,
    };
  },
};

function rootBlocks(root: Root): Block[] {
  const parents = parentsOfHeadings(root);
  const blocks: Block[] = [];
  const walk = (node: Nodes): void => {
    if (isLeftOut(node)) return;
    const rank = headingRank(node);
    const line = node.position?.start.line;
    if (rank !== undefined) {
      blocks.push({
        kind: 'heading',
        level: rank,
        title: oneLine(toText(node)).replace(PERMALINK, ''),
        line,
      });
    } else if (parents.has(node) && 'children' in node) {
      let loose: Nodes[] = [];
      const flush = (): void => {
        push(blocks, loose);
        loose = [];
      };
      for (const child of node.children) {
        if (!parents.has(child) && headingRank(child) === undefined) {
          if (!isLeftOut(child)) loose.push(child);
          continue;
        }
        flush();
        walk(child);
      }
      flush();
    } else push(blocks, [node]);
  };
  walk(root);
  return blocks;
}

// Adjacent inline nodes form one text.
function push(blocks: Block[], nodes: Nodes[]): void {
  if (nodes.length === 0) return;
  const children = nodes.filter((node) => node.type !== 'root' && node.type !== 'doctype');
  const root = nodes.find((node) => node.type === 'root');
  const body: Element = { type: 'element', tagName: 'div', properties: {}, children };
  const text = withRows(toText(withoutLeftOut(root ?? body)))
    .replace(/\n{3,}/g, '\n\n')
    .replace(/\n\n +/g, '\n\n')
    .trim();
  const starts = nodes.flatMap(({ position }) => position?.start.line ?? []);
  const ends = nodes.flatMap(({ position }) => position?.end.line ?? []);
  const [from] = starts;
  const to = ends.at(-1);
  if (text !== '') blocks.push({ kind: 'text', text, ...(from && to ? { lines: { from, to } } : {}) });
}

// The cells of a table are separated by tabs, which text in HTML does not have.
function withRows(text: string): string {
  const lines = text.split('\n');
  return lines
    .map((line) => (line.includes('\t') ? tableRow(line.split('\t').map(oneLine)) : line))
    .join('\n');
}

function withoutLeftOut<T extends Nodes>(node: T): T {
  if (!('children' in node)) return node;
  const children = node.children
    .filter((child) => !isLeftOut(child))
    .map((child) => withoutLeftOut(child as Nodes));
  return { ...node, children } as T;
}

function isLeftOut(node: Nodes): boolean {
  if (node.type === 'comment' || node.type === 'doctype') return true;
  if (node.type !== 'element') return false;
  const { hidden, ariaHidden, role } = node.properties;
  return LEFT_OUT.has(node.tagName) || hidden === true || ariaHidden === 'true' || role === 'navigation';
}

function parentsOfHeadings(root: Root): Set<Nodes> {
  const parents = new Set<Nodes>();
  const visit = (node: Nodes): boolean => {
    if (headingRank(node) !== undefined) return true;
    if (!('children' in node)) return false;
    // Visits all children, because several may contain a block.
    const has = node.children.map((child) => visit(child)).includes(true);
    if (has) parents.add(node);
    return has;
  };
  visit(root);
  return parents;
}

/** Depth of nested elements. */
function rootDepth(root: Root): number {
  let level: Nodes[] = [root];
  let depth = -1;
  for (; level.length > 0 && depth <= MAX_DEPTH; depth += 1)
    level = level.flatMap((node) => ('children' in node ? node.children : []));
  return depth;
}

function find(node: Nodes, tagName: string): Element | undefined {
  if (node.type === 'element' && node.tagName === tagName) return node;
  if (!('children' in node)) return undefined;
  // Only elements at the top of a page are searched: html, head, title.
  if (node.type === 'element' && node.tagName === 'body') return undefined;
  for (const child of node.children) {
    const match = find(child, tagName);
    if (match !== undefined) return match;
  }
  return undefined;
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();
