import { sectionNumber, sentencesIn, z, type Evidence } from '@casefile/contracts';
import { contentWords } from './content-words.js';

export const SECTIONS_SEARCH = 'sections_search';

const nodeSchema = z.object({
  nodeId: z.string().min(1).max(64),
  title: z.string(),
  path: z.array(z.string()),
  pages: z.object({ from: z.number(), to: z.number() }).nullable(),
  text: z.string(),
  cut: z.boolean(),
  confidential: z.literal(true).optional(),
});
const resultSchema = z.object({ nodes: z.array(nodeSchema), related: z.array(nodeSchema).default([]) });

export type FoundNode = z.infer<typeof nodeSchema>;

/** A section that was found, with what the rules ask of it. */
export interface Section {
  node: FoundNode;
  /** `4.1`, where its title begins so. */
  number: string | null;
  /** Stems of everything it says, the titles above it included. */
  words: string[];
  sentences: Sentence[];
}

export interface Sentence {
  section: Section;
  /** Word for word: it can be quoted. */
  text: string;
}

export interface FoundSections {
  /** They share words with the criterion. */
  sections: Section[];
  /** They name one of those by its number, or stand beside one that does: they may change what it says. */
  related: Section[];
  /** Did any look-up come off? */
  lookedUp: boolean;
}

const segments = new Intl.Segmenter('en', { granularity: 'sentence' });

/** The sections that were looked up for a criterion, the best first, each once. A result of another shape is no look-up. */
export function foundSections({ items }: Evidence): FoundSections {
  const nodes = new Map<string, FoundNode>();
  const beside = new Map<string, FoundNode>();
  let lookedUp = false;
  for (const { toolName, success, result } of items) {
    if (toolName !== SECTIONS_SEARCH || !success) continue;
    const parsed = resultSchema.safeParse(result);
    if (!parsed.success) continue;
    lookedUp = true;
    for (const node of parsed.data.nodes) if (!nodes.has(node.nodeId)) nodes.set(node.nodeId, node);
    for (const node of parsed.data.related) beside.set(node.nodeId, node);
  }
  const related = [...beside.values()].filter(({ nodeId }) => !nodes.has(nodeId));
  return { sections: [...nodes.values()].map(sectionOf), related: related.map(sectionOf), lookedUp };
}

function sectionOf(node: FoundNode): Section {
  const number = sectionNumber(node.title);
  const words = contentWords([...node.path, node.title, node.text].join(' '));
  const section: Section = { node, number, words, sentences: [] };
  section.sentences = sentencesOf(node).map((text) => ({ section, text }));
  return section;
}

// A line that was broken within a sentence is put together; list items and rows of tables stay apart.
function sentencesOf({ text, cut }: FoundNode): string[] {
  const lines = text.split(/\n(?=[^\S\n]*(?:\n|[-*|•]|\d+[.)]\s))/);
  const sentences = lines
    .map((line) => line.replace(/\s+/g, ' '))
    .filter((line) => line !== '' && line !== ' ')
    .flatMap((line) => [...sentencesIn(line, segments)])
    .map(({ segment }) => segment.trim())
    .filter((sentence) => sentence !== '');
  // Where a text was cut, its last sentence may lack the words that matter.
  return cut ? sentences.slice(0, -1) : sentences;
}
