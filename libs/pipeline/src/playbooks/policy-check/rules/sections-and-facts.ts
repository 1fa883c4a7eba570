import {
  sectionNumber,
  sentencesIn,
  z,
  type Evidence,
  factName,
  type CitableFact,
} from '@casefile/contracts';
import { contentWords, nameWords } from './content-words.js';
import { momentOf } from './written-moment.js';
import { sameValue } from '../../../find-quote.js';

const SECTIONS_SEARCH = 'sections_search';

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
  sentences: PolicySentence[];
}

export interface PolicySentence {
  section: Section;
  /** Word for word: it can be quoted. */
  text: string;
}

export interface FoundSections {
  /** They share words with the criterion. */
  sections: Section[];
  /** Sections that name one of those by its number, or their siblings. They may change its meaning. */
  related: Section[];
  /** Did any look-up come off? */
  lookedUp: boolean;
}

const segments = new Intl.Segmenter('en', { granularity: 'sentence' });

/** The sections that were looked up for a criterion, the best first, each once. A result of another shape is no look-up. */
export function foundSections({ items }: Evidence): FoundSections {
  const nodes = new Map<string, FoundNode>();
  const siblings = new Map<string, FoundNode>();
  let lookedUp = false;
  for (const { toolName, success, result } of items) {
    if (toolName !== SECTIONS_SEARCH || !success) continue;
    const parsed = resultSchema.safeParse(result);
    if (!parsed.success) continue;
    lookedUp = true;
    for (const node of parsed.data.nodes) if (!nodes.has(node.nodeId)) nodes.set(node.nodeId, node);
    for (const node of parsed.data.related) siblings.set(node.nodeId, node);
  }
  const related = [...siblings.values()].filter(({ nodeId }) => !nodes.has(nodeId));
  return {
    sections: [...nodes.values()].map(foundNodeSection),
    related: related.map(foundNodeSection),
    lookedUp,
  };
}

function foundNodeSection(node: FoundNode): Section {
  const number = sectionNumber(node.title);
  const words = contentWords([...node.path, node.title, node.text].join(' '));
  const section: Section = { node, number, words, sentences: [] };
  section.sentences = foundNodeSentences(node).map((text) => ({ section, text }));
  return section;
}

// A line that was broken within a sentence is put together; list items and rows of tables stay apart.
function foundNodeSentences({ text, cut }: FoundNode): string[] {
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

/** Reading confidence from which a rule is put to a value: below it, it is read again rather than reasoned from. */
const ESTABLISHED_FROM = 0.9;
/** Characters of a value whose words say what kind of case it is; a longer value is a statement. */
const KIND_LENGTH = 40;
const DENIED = /\b(?:no|not|none|never|nil|without|unknown|other)\b/i;
const NOTHING = /^\s{0,9}(?:no|none|nil|never|n\/a|-)\s{0,9}$/i;
const DATE_LIKE = /^\d{4}-\d{2}-\d{2}/;

/** A fact by its name, with all its readings. */
export interface NamedFact {
  name: string;
  words: string[];
  /** The surest first. */
  readings: CitableFact[];
  /** The surest reading. */
  best: CitableFact;
  /** Why it cannot be reasoned from; null: it can. */
  doubt: 'low_confidence' | 'missing_evidence' | null;
}

/** The facts of a case by their names. Readings that differ are in doubt, whichever is the surer. */
export function namedFacts(facts: readonly CitableFact[]): NamedFact[] {
  const names = [...new Set(facts.map(({ name }) => factName(name)))];
  return names.flatMap((name) => {
    const readings = facts
      .filter((fact) => factName(fact.name) === name)
      .toSorted((a, b) => b.confidence - a.confidence);
    const [best] = readings;
    return best === undefined
      ? []
      : [{ name, words: nameWords(name), readings, best, doubt: readingDoubt(readings) }];
  });
}

function readingDoubt(readings: readonly CitableFact[]): NamedFact['doubt'] {
  const [best, ...others] = readings;
  if (best === undefined || others.some(({ value, unit }) => !sameValue(best, value, unit)))
    return 'missing_evidence';
  return best.confidence < ESTABLISHED_FROM ? 'low_confidence' : null;
}

/** What is known to be so in this case: stems of the names of facts, and of short values. What is false does not count. */
export function knownWords(facts: readonly NamedFact[]): string[] {
  return [
    ...new Set(
      facts.filter(({ doubt, best }) => doubt === null && best.value !== false).flatMap(namedFactWords),
    ),
  ];
}

function namedFactWords({ words, best: { value } }: NamedFact): string[] {
  if (typeof value !== 'string' || value.length > KIND_LENGTH || isDate(value)) return words;
  return DENIED.test(value) ? [] : [...words, ...contentWords(value)];
}

function isDate(value: string): boolean {
  return DATE_LIKE.test(value) || momentOf(value) !== null;
}

/** The stems of what a fact says in words, at any length: enough to suspect by, not to decide by. */
export function valueWords({ readings }: NamedFact): string[] {
  return readings.flatMap(({ value }) => (typeof value === 'string' ? contentWords(value) : []));
}

/** Is it certain that this is not so: `no`, or `none`? */
export function isDenied({ doubt, best: { value } }: NamedFact): boolean {
  return doubt === null && (value === false || (typeof value === 'string' && NOTHING.test(value)));
}
