import type { Nodes, Parents, Table } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmTableFromMarkdown } from 'mdast-util-gfm-table';
import { gfmTable } from 'micromark-extension-gfm-table';
import { manyLines, oneLine } from '@casefile/kit/output/escape';
import type { Colors } from './terminal.js';

/**
 * Returns Markdown as lines for a terminal: headings bold, lists and tables as lines, links with their URL.
 * Untrusted text is escaped after parsing, so that it is displayed and has no effect on the terminal.
 */
export function markdownLines(markdown: string, colors: Colors): string[] {
  const tree = fromMarkdown(markdown, {
    extensions: [gfmTable()],
    mdastExtensions: [gfmTableFromMarkdown()],
  });
  return blocks(tree, colors, 0);
}

/** Maximum nesting depth of lists and quotations in the output. */
const DEEPEST = 100;

// Separates blocks by an empty line, but not the items of a list.
function blocks(parent: Parents, colors: Colors, depth: number): string[] {
  if (depth > DEEPEST) return ['...'];
  const parts = parent.children
    .map((child) => block(child, colors, depth + 1))
    .filter((lines) => lines.length > 0);
  const between = parent.type === 'list' || parent.type === 'listItem' ? [] : [''];
  return parts.flatMap((lines, index) => (index === 0 ? lines : [...between, ...lines]));
}

function block(node: Nodes, colors: Colors, depth: number): string[] {
  switch (node.type) {
    case 'heading':
      return [colors.bold(inline(node))];
    case 'list':
      return node.children.flatMap((item, index) =>
        hung(node.ordered === true ? `${(node.start ?? 1) + index}. ` : '- ', blocks(item, colors, depth)),
      );
    case 'blockquote':
      return blocks(node, colors, depth).map((line) => `> ${line}`);
    case 'code':
      return manyLines(node.value)
        .split('\n')
        .map((line) => `    ${line}`);
    case 'table':
      return tableLines(node);
    case 'thematicBreak':
      return ['---'];
    default:
      return inline(node).split('\n');
  }
}

function hung(mark: string, lines: string[]): string[] {
  const blank = ' '.repeat(mark.length);
  return (lines.length === 0 ? [''] : lines).map((line, index) => `${index === 0 ? mark : blank}${line}`);
}

/** Returns the text of a node without marks. A link's URL follows its text if they differ. */
function inline(node: Nodes): string {
  if (node.type === 'break') return '\n';
  if (node.type === 'image') return oneLine(node.alt ?? '');
  if (node.type === 'link') {
    const [words, url] = [children(node), oneLine(node.url)];
    return words === url ? url : `${words} (${url})`;
  }
  if ('children' in node) return children(node);
  return 'value' in node ? manyLines(node.value) : '';
}

function children(parent: Parents): string {
  return parent.children.map(inline).join('');
}

function tableLines({ children: rows }: Table): string[] {
  const cells = rows.map((row) => row.children.map(inline));
  const widths = (cells[0] ?? []).map((_, column) =>
    Math.max(...cells.map((row) => (row[column] ?? '').length)),
  );
  return cells.map((row) =>
    widths
      .map((width, column) => (row[column] ?? '').padEnd(width))
      .join('  ')
      .trimEnd(),
  );
}
