import { CasefileError, type PolicySection, type Span } from '@casefile/contracts';
import { MAX_SECTIONS } from '../policy-base.js';
import type { Block } from './block.js';

/** A parsed section; ids follow the order of the document. */
export type ParsedSection = Omit<PolicySection, 'summary' | 'characters'>;

interface Open {
  title: string;
  level: number;
  texts: { text: string; page?: number; lines?: Span }[];
  page?: number;
  line?: number;
}

const LONGEST_TITLE = 300;
/** Most characters of a part. A longer section could not be examined as a whole, nor cited precisely. */
const LONGEST_PART = 12_000;

/**
 * Builds the tree of a document's sections. A heading opens a section that contains everything below it. Text
 * before the first heading becomes a section with the document's title. Skipped levels do not matter: the
 * parent is the nearest higher heading.
 * @throws CasefileError `empty_document`, `too_large`.
 */
export function sectionTree(blocks: readonly Block[], title: string): ParsedSection[] {
  const parts = openedBlocks(blocks, title).flatMap(inParts);
  if (!parts.some(({ texts }) => texts.some(({ text }) => text.trim() !== '')))
    throw new CasefileError('empty_document', 'The document has no text');
  if (parts.length > MAX_SECTIONS)
    throw new CasefileError(
      'too_large',
      `The document has ${parts.length} sections, ${MAX_SECTIONS} at most can be kept`,
    );
  const above: { nodeId: string; level: number }[] = [];
  return parts.map((part, i): ParsedSection => {
    while (above.length > 0 && (above.at(-1)?.level ?? 0) >= part.level) above.pop();
    const parent = above.at(-1);
    const nodeId = String(i + 1).padStart(4, '0');
    above.push({ nodeId, level: part.level });
    return {
      nodeId,
      parentId: parent?.nodeId ?? null,
      level: above.length,
      title: part.title,
      pages: placeSpan([part.page, ...part.texts.map(({ page }) => page)]),
      lines: placeSpan([part.line, ...part.texts.flatMap(({ lines }) => [lines?.from, lines?.to])]),
      text: part.texts.map(({ text }) => text).join('\n\n'),
    };
  });
}

function openedBlocks(blocks: readonly Block[], title: string): Open[] {
  const sections: Open[] = [{ title: title.slice(0, LONGEST_TITLE), level: 1, texts: [] }];
  for (const block of blocks) {
    if (block.kind === 'text') {
      if (block.text.trim() !== '') sections.at(-1)?.texts.push({ ...block, text: block.text.trim() });
      continue;
    }
    const { level, page, line } = block;
    const name = block.title.replace(/\s+/g, ' ').trim().slice(0, LONGEST_TITLE);
    if (name !== '') sections.push({ title: name, level, page, line, texts: [] });
  }
  const [front, ...rest] = sections;
  return front !== undefined && front.texts.length > 0 ? sections : rest;
}

// Cuts an oversized section into parts, between paragraphs if possible.
function inParts(section: Open): Open[] {
  const texts = section.texts.flatMap((one) => pieces(one.text).map((text) => ({ ...one, text })));
  const parts: Open['texts'][] = [[]];
  let size = 0;
  for (const one of texts) {
    if (size + one.text.length + 2 > LONGEST_PART) {
      parts.push([]);
      size = 0;
    }
    parts.at(-1)?.push(one);
    size += one.text.length + 2;
  }
  if (parts.length === 1) return [{ ...section, texts }];
  return parts.map((part, i) => ({ ...section, title: `${section.title} (part ${i + 1})`, texts: part }));
}

function pieces(text: string): string[] {
  const cut: string[] = [];
  for (let rest = text; rest !== '';) {
    const room = LONGEST_PART - 2;
    const blank = rest.length <= room ? rest.length : rest.lastIndexOf(' ', room);
    const at = blank > 0 ? blank : room;
    cut.push(rest.slice(0, at));
    rest = rest.slice(at).trimStart();
  }
  return cut;
}

function placeSpan(places: (number | undefined)[]): Span | null {
  const numbers = places.filter((place) => place !== undefined);
  if (numbers.length === 0) return null;
  return {
    from: numbers.reduce((a, b) => Math.min(a, b)),
    to: numbers.reduce((a, b) => Math.max(a, b)),
  };
}
