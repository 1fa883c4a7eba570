import { z, type Citation, type Draft } from '@casefile/contracts';
import { firstCodePoints } from '@casefile/pipeline/plain-text';
import type { GroundSection } from './result.js';

/** Most characters that a draft keeps of one section, and of all sections together. */
const SECTION_KEPT = 4_000;
const SECTIONS_KEPT = 16_000;
/** Characters kept before the first quote of a longer section. */
const BEFORE_QUOTE = 1_500;
const NAME_LENGTH = 80;

const readSectionsSchema = z.object({
  sections: z.array(z.object({ nodeId: z.string(), title: z.string(), text: z.string() })),
});
/** The sections that a model read for its answer, as the draft keeps them for the review. */
export type ReadSections = z.infer<typeof readSectionsSchema>;
/** A section that a model read. `name` is its title, or its id if another section has the same title. */
export type NamedSection = ReadSections['sections'][number] & { name: string };

/**
 * Returns the sections for the draft, the cited ones first. The review reads no tool calls of other stages. Of a
 * long section, the part around its first quote is kept.
 */
export function keptSections(
  citations: readonly Citation[],
  sections: ReadonlyMap<string, GroundSection>,
): ReadSections['sections'] {
  const quotes = citations.flatMap((one) => (one.kind === 'quote' ? [one] : []));
  const isCited = (nodeId: string) => quotes.some((one) => one.nodeId === nodeId);
  const kept: ReadSections['sections'] = [];
  let left = SECTIONS_KEPT;
  for (const [nodeId, { title, text }] of [...sections].toSorted(
    ([one], [other]) => Number(isCited(other)) - Number(isCited(one)),
  )) {
    if (left <= 0) break;
    const quote = quotes.find((one) => one.nodeId === nodeId)?.quote ?? '';
    const at = Math.max(0, text.indexOf(quote));
    const from = text.length <= SECTION_KEPT || at < BEFORE_QUOTE ? 0 : at - BEFORE_QUOTE;
    const part = firstCodePoints(text.slice(from), Math.min(SECTION_KEPT, left));
    left -= part.length;
    kept.push({ nodeId, title, text: part });
  }
  return kept;
}

/** Returns the sections of a draft with their names; none: the draft has none. */
export function sectionsIn({ answer }: Pick<Draft, 'answer'>): NamedSection[] {
  const read = readSectionsSchema.safeParse(answer);
  const sections = read.success ? read.data.sections : [];
  const names = sections.map(({ title }) => nameFrom(title));
  return sections.map((section, at) => {
    const name = names[at]!;
    const isUnique = name !== '' && name !== FACTS && names.indexOf(name) === names.lastIndexOf(name);
    return { ...section, name: isUnique ? name : section.nodeId };
  });
}

/** Name of the facts among the sources of a cross-examination. */
export const FACTS = 'facts';

// Names are listed in brackets, separated by commas, so these characters are removed.
const nameFrom = (title: string): string =>
  title
    .replace(/[[\],\s]+/g, ' ')
    .trim()
    .slice(0, NAME_LENGTH);
