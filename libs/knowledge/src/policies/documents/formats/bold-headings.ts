import type { Block } from '../block.js';
import { headingReader, type NumberedHeading } from '../numbered-heading.js';

/** A block with the bold words that its paragraph begins with. */
export type MarkedBlock = Block & { bold?: string };

/** A section with fewer numbered bold paragraphs than this has no headings in them: one may be a note. */
const FEWEST = 2;

/**
 * Makes headings of numbered bold words at the beginning of paragraphs, as in `**1. Term.** The term is one year.` The
 * numbers must continue within one section, or else they stay text.
 */
export function withBoldHeadings(marked: readonly MarkedBlock[]): Block[] {
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
    return areTooFew || heading === null ? [plain] : parted(plain, bold, heading, level);
  });
}

function parted(block: Block, bold: string, heading: NumberedHeading, level: number): Block[] {
  if (block.kind === 'heading') return [block];
  const line = block.lines?.from;
  const title: Block = { kind: 'heading', level: level + heading.level, title: heading.title, line };
  const text = block.text.slice(bold.length).trim();
  return text === '' ? [title] : [title, { ...block, text }];
}
