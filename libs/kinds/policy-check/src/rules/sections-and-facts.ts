import {
  sectionNumber,
  sentencesIn,
  z,
  type Evidence,
  factName,
  type CitableFact,
} from '@casefile/contracts';
import { contentWords, nameWords } from './content-words.js';
import { isDelimiter, isRow, tablesOf, type RowOf, type TableOf } from './policy-tables.js';
import { negationWords, parseTime, sameValue } from '@casefile/pipeline/reading/index';

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

/** A section that was found, with the data that the rules need. */
export interface Section {
  node: FoundNode;
  /** Number at the beginning of its title, such as `4.1`; null: it has none. */
  number: string | null;
  /** Word stems of the section, including the titles above it. */
  words: string[];
  sentences: PolicySentence[];
  tables: PolicyTable[];
}

/** A table of a section as the rules read it. */
export type PolicyTable = TableOf<PolicySentence>;
export type TableRow = RowOf<PolicySentence>;

export interface PolicySentence {
  section: Section;
  /** Number by which the policy names its clause (`2.1`), or else its section; null: neither has one. */
  number: string | null;
  /** Exact text without the number of the clause, so that it can be quoted and the number is no figure. */
  text: string;
}

export interface FoundSections {
  /** Sections that share words with the criterion. */
  sections: Section[];
  /**
   * Sections that refer to one of `sections` by number, or siblings of such sections. They may change its
   * meaning.
   */
  related: Section[];
  /** Whether any look-up succeeded. */
  lookedUp: boolean;
}

const segments = new Intl.Segmenter('en', { granularity: 'sentence' });

/**
 * Returns the sections found for a criterion, the best first, without repeats. A result of another format
 * does not count as a look-up.
 */
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
  const section: Section = { node, number, words, sentences: [], tables: [] };
  section.sentences = foundNodeSentences(node).map((sentence) => ({
    ...sentence,
    number: sentence.number ?? number,
    section,
  }));
  // The last rows of a shortened section are missing.
  section.tables = node.cut ? [] : tablesOf(section.sentences);
  return section;
}

/** Mark of a clause at the beginning of a paragraph: `2.1 Hotels`, `§ 4 Hotels`, `3) Hotels`, `(b) Hotels`. */
const CLAUSE_MARK =
  /^\s?(?:§{1,2}\s?)?(?:(?<number>\d{1,3}(?:\.\d{1,3}){1,5})\.?|\d{1,3}[.)]|\([a-z\d]{1,4}\)|[a-z]\))\s(?=\p{Lu}\p{Ll}|\p{Lu}\s|\p{Lo})/u;
/**
 * Beginnings of lines that end the line before them. A clause begins only after the end of a sentence, and a line
 * behind a row of a table is none of its cells.
 */
const NEXT_LINE =
  /(?<=\|)\n|\n(?=[^\S\n]*(?:\n|[-*|•]|\d+[.)]\s))|(?<=[.;:!?])\n(?=[^\S\n]{0,9}(?:\d{1,3}(?:\.\d{1,3}){1,5}\.?|\([a-z\d]{1,4}\)|[a-z]\))\s)/;

// Lines that were broken within a sentence are joined. List items, clauses and rows of tables stay separate.
function foundNodeSentences({ text, cut }: FoundNode): Pick<PolicySentence, 'number' | 'text'>[] {
  const sentences = text
    .split(NEXT_LINE)
    .map((line) => line.replace(/\s+/g, ' '))
    .filter((line) => line !== '' && line !== ' ' && !isDelimiter(line))
    .flatMap(clauseSentences);
  // The last sentence of a shortened text may lack important words, so it is left out.
  return cut ? sentences.slice(0, -1) : sentences;
}

function clauseSentences(line: string): Pick<PolicySentence, 'number' | 'text'>[] {
  if (isRow(line)) return [{ number: null, text: line.trim() }];
  const mark = CLAUSE_MARK.exec(line);
  const number = mark?.groups?.['number'] ?? null;
  return [...sentencesIn(line.slice(mark?.[0].length ?? 0), segments)]
    .map(({ segment }) => ({ number, text: segment.trim() }))
    .filter((sentence) => sentence.text !== '');
}

/** Confidence of a reading from which a rule may use the value. A less certain value must be read again. */
const ESTABLISHED_FROM = 0.9;
/** Maximum length of a value that names a kind of case. A longer value is a statement. */
const KIND_LENGTH = 40;
const DENIED = new RegExp(String.raw`\b(?:${negationWords('en')}|nil|unknown|other)\b`, 'i');
const DATE_LIKE = /^\d{4}-\d{2}-\d{2}/;

/** A fact by its name, with all its readings. */
export interface NamedFact {
  name: string;
  words: string[];
  /** Readings of the fact, the most certain first. */
  readings: CitableFact[];
  /** The most certain reading. */
  best: CitableFact;
  /** Reason why rules cannot use the fact; null: they can. */
  doubt: 'low_confidence' | 'missing_evidence' | null;
}

/**
 * Returns the facts of a case by name. A fact whose readings differ is in doubt, even if one reading is more
 * certain.
 */
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

/**
 * Returns the known circumstances of this case: stems of the names of facts, and of short values. False facts
 * do not count.
 */
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
  return DATE_LIKE.test(value) || parseTime(value) !== null;
}

/**
 * Returns the stems of a fact's values of any length. They suffice to suspect an exception, not to decide.
 */
export function valueWords({ readings }: NamedFact): string[] {
  return readings.flatMap(({ value }) => (typeof value === 'string' ? contentWords(value) : []));
}

/** Values that deny a fact. An empty value or `null` only states that a value is missing. */
const DENIALS: ReadonlySet<unknown> = new Set(['no', 'none', 'nil', 'never', 'n/a', '-']);

/** Returns whether a fact certainly states that something is not so: `no`, `none`. */
export function isDenied({ doubt, best: { value } }: NamedFact): boolean {
  const stated = typeof value === 'string' ? value.trim().toLowerCase() : value;
  return doubt === null && (stated === false || DENIALS.has(stated));
}

/** Returns the table that a sentence is a row of; null: it is none. */
export const tableOf = (sentence: PolicySentence): PolicyTable | null =>
  sentence.section.tables.find(
    ({ header, rows }) => header === sentence || rows.some((row) => row.sentence === sentence),
  ) ?? null;
