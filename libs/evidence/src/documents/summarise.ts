import type { ParsedSection } from './section-tree.js';

/** Characters of a summary. */
const LONGEST = 240;
const sentences = new Intl.Segmenter('en', { granularity: 'sentence' });

/**
 * A summary of each section by extraction, when no model writes one: its first sentences, or what stands below it. The
 * titles of a section's parts are in it as well: whoever walks down a tree sees what it leads to. S4-10.
 */
export function summariesOf(sections: readonly ParsedSection[]): string[] {
  const below = new Map<string, string[]>();
  for (const { parentId, title } of sections) {
    if (parentId !== null) below.set(parentId, [...(below.get(parentId) ?? []), title]);
  }
  return sections.map(({ nodeId, text }) => {
    const titles = below.get(nodeId) ?? [];
    const parts = titles.length === 0 ? '' : shortened(titles.join('; '));
    const lead = leadOf(text);
    return [lead, parts].filter((part) => part !== '').join(' Below: ');
  });
}

function leadOf(text: string): string {
  const flat = text
    .slice(0, LONGEST * 4)
    .replace(/[\s|]+/g, ' ')
    .trim();
  let lead = '';
  for (const { segment } of sentences.segment(flat)) {
    if (lead !== '' && lead.length + segment.length > LONGEST) break;
    lead += segment;
  }
  return shortened(lead.trim());
}

function shortened(text: string): string {
  if (text.length <= LONGEST) return text;
  return `${text.slice(0, Math.max(text.lastIndexOf(' ', LONGEST), LONGEST / 2))} …`;
}
