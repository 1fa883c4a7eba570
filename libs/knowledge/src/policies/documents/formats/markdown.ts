import { fromHtml } from 'hast-util-from-html';
import { toText } from 'hast-util-to-text';
import type { ListItem, Nodes, Root, RootContent, Table } from 'mdast';
import remarkFrontmatter from 'remark-frontmatter';
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import { unified } from 'unified';
import type { Block, DocumentParser } from '../block.js';
import { decodeText } from '../decode-text.js';
import { headingReader, type NumberedHeading } from '../numbered-heading.js';
import { markdownPieces } from './markdown-pieces.js';

const parser = unified().use(remarkParse).use(remarkGfm).use(remarkFrontmatter);

/** Nodes that are not text of the document. */
const LEFT_OUT: readonly string[] = ['yaml', 'definition', 'thematicBreak'];

/** Markdown (CommonMark with tables): headings make the sections; emphasis and links become plain text. */
export const markdown: DocumentParser = {
  async parse(bytes) {
    const { blocks, front } = readMarkdown(decodeText(bytes));
    const heading = blocks.find((block) => block.kind === 'heading' && block.level === 1);
    const title = entry(front, 'title') ?? (heading?.kind === 'heading' ? heading.title : null);
    return {
      blocks,
      title,
      language: entry(front, 'lang(?:uage)?'),
      pages: null,
      confidential: confidentialIn(front),
    };
  },
};

/** @param enough Characters of a piece, as in `markdownPieces`. */
export function readMarkdown(text: string, enough?: number): { blocks: Block[]; front: string } {
  let front = '';
  const blocks: MarkedBlock[] = [];
  for (const piece of markdownPieces(text, enough)) {
    const root: Root = parser.parse(piece.text);
    const { added, lines, linesBefore } = piece;
    const own = root.children.filter(({ position }) => {
      const line = (position?.start.line ?? 0) - added;
      return line > 0 && line <= lines;
    });
    if (linesBefore === 0) front = own.find((node) => node.type === 'yaml')?.value ?? '';
    blocks.push(...own.flatMap((node) => rootContentBlock(node, linesBefore - added)));
  }
  return { blocks: withBoldHeadings(blocks), front };
}

function entry(front: string, key: string): string | null {
  const [, value = ''] = new RegExp(`^${key}:[ \\t]*(.+)$`, 'mi').exec(front) ?? [];
  const plain = value.trim().replace(/^(["'])(.*)\1$/, '$2');
  return plain === '' ? null : plain;
}

/** `confidential:` followed by a list, one item per line. */
const LISTED = /^confidential:[ \t]*\r?\n((?:[ \t]*-[ \t].*(?:\r?\n|$))+)/im;

// Reads `confidential: true`, a list in brackets, `16.1, List of indicators`, or one item per line.
function confidentialIn(front: string): string[] {
  const [, below] = LISTED.exec(front) ?? [];
  const inLine = entry(front, 'confidential')?.replace(/^\[(.*)\]$/, '$1') ?? '';
  const names =
    below === undefined ? inLine.split(',') : below.split('\n').map((line) => line.replace(/^\s*-/, ''));
  const plain = names
    .map((name) => name.trim().replace(/^(["'])(.*)\1$/, '$2'))
    .filter((name) => name !== '');
  if (plain.length === 1 && /^(false|no)$/i.test(plain[0] ?? '')) return [];
  return plain.map((name) => (/^(true|yes)$/i.test(name) ? 'all' : name));
}

function rootContentBlock(node: RootContent, linesBefore: number): MarkedBlock[] {
  if (LEFT_OUT.includes(node.type)) return [];
  const from = linesBefore + (node.position?.start.line ?? 1);
  if (node.type === 'heading')
    return [{ kind: 'heading', level: node.depth, title: inline(node), line: from }];
  const lines = { from, to: linesBefore + (node.position?.end.line ?? 1) };
  const bold = boldStart(node);
  return [{ kind: 'text', text: plain(node), lines, ...(bold === null ? {} : { bold }) }];
}

function boldStart(node: RootContent): string | null {
  const [first] = node.type === 'paragraph' ? node.children : [];
  return first?.type === 'strong' ? inline(first) : null;
}

function plain(node: Nodes): string {
  switch (node.type) {
    case 'list':
      return node.children
        .map((item, i) => itemText(item, node.ordered ? `${(node.start ?? 1) + i}.` : '-'))
        .join('\n');
    case 'table':
      return tableText(node);
    case 'html':
      return toText(fromHtml(node.value, { fragment: true })).trim();
    case 'blockquote':
    case 'footnoteDefinition':
      return node.children.map(plain).join('\n\n');
    case 'code':
      return node.value;
    default:
      return inline(node);
  }
}

function itemText(item: ListItem, sign: string): string {
  const [first = '', ...more] = item.children.map(plain);
  return [`${sign} ${first}`, ...more.map((text) => text.replace(/^/gm, '  '))].join('\n');
}

function tableText({ children }: Table): string {
  return children.map((row) => `| ${row.children.map(inline).join(' | ')} |`).join('\n');
}

// Joins the lines of a wrapped paragraph.
function inline(node: Nodes): string {
  if (node.type === 'break') return '\n';
  if (node.type === 'image' || node.type === 'imageReference') return node.alt ?? '';
  if (node.type === 'html') return '';
  if ('value' in node) return node.value.replace(/(?<!\s)\s*\n\s*/g, ' ');
  return 'children' in node ? node.children.map(inline).join('') : '';
}

/** A block, with the bold words at the beginning of its paragraph. */
type MarkedBlock = Block & { bold?: string };

/** Fewest numbered bold paragraphs in a section that count as headings: a single one may be a note. */
const FEWEST = 2;

/**
 * Turns numbered bold words at the beginning of paragraphs into headings, as in `**1. Term.** The term is one
 * year.` If the numbers do not continue within one section, they stay text.
 */
function withBoldHeadings(marked: readonly MarkedBlock[]): Block[] {
  const blocks: Block[] = [];
  let section: MarkedBlock[] = [];
  let level = 0;
  for (const block of marked) {
    if (block.kind !== 'heading') section.push(block);
    else {
      blocks.push(...withHeadings(section, level), block);
      [section, level] = [[], block.level];
    }
  }
  return [...blocks, ...withHeadings(section, level)];
}

function withHeadings(section: readonly MarkedBlock[], level: number): Block[] {
  const read = headingReader();
  const headings = section.map(({ bold }) => (bold === undefined ? null : read(bold.replace(/[.:]$/, ''))));
  const areTooFew = headings.filter((heading) => heading !== null).length < FEWEST;
  return section.flatMap((block, i) => {
    const { bold = '', ...plain } = block;
    const heading = headings[i] ?? null;
    return areTooFew || heading === null ? [plain] : partedBlock(plain, bold, heading, level);
  });
}

function partedBlock(block: Block, bold: string, heading: NumberedHeading, level: number): Block[] {
  if (block.kind === 'heading') return [block];
  const line = block.lines?.from;
  const title: Block = { kind: 'heading', level: level + heading.level, title: heading.title, line };
  const text = block.text.slice(bold.length).trim();
  return text === '' ? [title] : [title, { ...block, text }];
}
