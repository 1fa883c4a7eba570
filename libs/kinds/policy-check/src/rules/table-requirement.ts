import {
  boundBefore,
  isKnownUnit,
  limitsIn,
  measureOf,
  withoutComparisons,
  type Limit,
  type Relation,
} from '@casefile/pipeline/reading/index';
import {
  aspectsOf,
  askedWords,
  foldedWords,
  isComparing,
  isDenying,
  isNet,
  isPermitting,
  limitingWords,
  needsConsent,
  plainTable,
  rateIn,
  tellingWords,
  type PlainLanguage,
} from './plain-words.js';
import { limitRequirement, measureOfLimit, relationOfWords } from './plain-limit.js';
import type { Requirement } from './rule.js';
import {
  type NamedFact,
  type PolicySentence,
  type Section,
  tableOf,
  type PolicyTable,
  type TableRow,
} from './sections-and-facts.js';
import { chosenRows, type KeyColumn } from './table-rows.js';

/** The requirement of the one row and column of a table that a case asks for, or why there is none. */
export type TableReading =
  | { table: PolicyTable; requirement: Requirement }
  | { table: PolicyTable; why: string; rows: readonly PolicySentence[] };

/** Column that states one limit in each row. */
interface LimitColumn {
  index: number;
  /** Words of its head that tell which limit it is, without `limit`, its unit and its rate. */
  words: readonly string[];
  unit: string | null;
  each: string | null;
  /** Direction that the head or the sentences around the table state; null: the cells must. */
  relation: Relation | null;
}

/** Marks of notes: what they add stands elsewhere. */
const NOTE = /[*†‡¹²³⁴]|\(\d{1,2}\)|\[\d{1,2}\]/u;
const BARE_LIMIT = new RegExp(String.raw`(?<!\p{L})(?:${plainTable.bareLimit})(?!\p{L})`, 'iu');

interface TableCase {
  question: string;
  facts: readonly NamedFact[];
  language: PlainLanguage;
}

/** Returns the readings of all tables of the sections. Default without a language that the rules read: none. */
export function tableReadings(
  sections: readonly Section[],
  { language, question, facts }: Pick<TableCase, 'question' | 'facts'> & { language: PlainLanguage | null },
): TableReading[] {
  if (language === null) return [];
  return sections.flatMap(({ tables }) =>
    tables.map((table) => tableReading(table, { question, facts, language })),
  );
}

/** Returns why the table in or next to the nearest sentences does not decide, with its head and rows; null: there is none. */
export function nearestTable(
  nearest: readonly PolicySentence[],
  readings: readonly TableReading[],
): { why: string; sentences: PolicySentence[] } | null {
  const [table] = nearest.flatMap((sentence) => tableOf(sentence) ?? sentence.section.tables);
  const reading = readings.find((one) => one.table === table);
  if (table === undefined || reading === undefined) return null;
  const isChosen = 'requirement' in reading;
  const rows = isChosen ? [reading.requirement.sentence] : reading.rows;
  const shown = rows.length > 0 ? rows : table.rows.map(({ sentence }) => sentence);
  const why = isChosen ? 'The criterion does not plainly ask for the limit of the table.' : reading.why;
  return { why, sentences: [table.header, ...shown] };
}

/**
 * Reads a table (`city | limit per night`) for a case. The facts or the question must choose one row and one column, and
 * the head, the cell or the text must state whether the figure is the most or the least (S4-40).
 */
function tableReading(table: PolicyTable, at: TableCase): TableReading {
  const { question, facts, language } = at;
  const open = (why: string, rows: readonly TableRow[] = []): TableReading => ({
    table,
    why,
    rows: rows.map(({ sentence }) => sentence),
  });
  const { heads, rows } = table;
  const { section } = table.header;
  const all = [heads, ...rows.map(({ cells }) => cells)];
  if (all.some((cells) => cells.length !== heads.length || cells.some((cell) => cell === '')))
    return open('A cell of the table is empty or joined with another one.');
  if (all.flat().some((cell) => NOTE.test(cell))) return open('A note belongs to the table.');
  const around = section.sentences.filter(({ text }) => !text.startsWith('|'));
  if (around.some(({ text }) => mayChange(text, language)))
    return open('A sentence next to the table may change its figures.');
  const limits = heads.flatMap((_head, index) => limitColumn(table, index, around, language) ?? []);
  const keys = heads.flatMap((head, index): KeyColumn[] =>
    limits.some((one) => one.index === index) ? [] : [{ index, head, unit: unitOf(head, language) }],
  );
  if (limits.length === 0 || keys.length === 0)
    return open('No column of the table is plainly a limit next to what it is for.');
  const told = tellingWords([section.node.title, ...around.map(({ text }) => text)].join(' '), language);
  const chosen = chosenRows(table, keys, { question, facts, language, told });
  const [row, ...others] = chosen.rows;
  if (row === undefined) return open('Neither the facts nor the criterion name a row of the table.');
  if (others.length > 0) return open('More than one row of the table may be the one.', chosen.rows);
  const column = limits.length === 1 ? limits[0]! : limitAskedFor(limits, at);
  if (column === null) return open('More than one column of the table may be the one.', [row]);
  const cell = withoutRate(row.cells[column.index]!, language);
  const each = column.each ?? cell.each;
  const limit = each === (cell.each ?? each) ? cellLimit(cell.rest, column, language) : null;
  if (limit === null) return open('The figure of the row has another condition or cannot be read.', [row]);
  const measure = measureOfLimit(limit, language);
  const relation = limit.relation ?? column.relation;
  if (measure === null) return open('The figure of the row has two readings.', [row]);
  if (relation === null || isBareTime(column, heads, measure.dimension, language))
    return open('The table does not state whether its figure is the most or the least.', [row]);
  const words = [...column.words, ...chosen.words];
  const names = [...heads, ...chosen.facts.map(({ name }) => name.replaceAll('_', ' '))];
  const titleWords = [...told, ...names.flatMap((name) => tellingWords(name, language))];
  const aspects = askedWords(question, language).filter((word) => aspectsOf(word).length > 0);
  const matter = [...words, ...titleWords, ...aspects];
  const plain = { limit, relation, measure, language, words, titleWords, matter, each };
  const requirement = limitRequirement(
    { ...plain, isDenial: false, isNet: isNet(all.flat().join(' ')) },
    row.sentence,
  );
  return { table, requirement: ofRow(requirement, table, chosen.facts) };
}

// Figures of a table change only by another table, so no version of it is computed.
function ofRow(
  { withFigure: _, ...requirement }: Requirement,
  { header }: PolicyTable,
  chosenBy: readonly NamedFact[],
): Requirement {
  return {
    ...requirement,
    headings: [header],
    check: (at) => {
      const finding = requirement.check(at);
      const facts = [...finding.facts, ...chosenBy.map(({ best }) => best)];
      return { ...finding, facts };
    },
  };
}

// `With approval the limits may be exceeded` next to a table changes each of its figures.
function mayChange(text: string, language: PlainLanguage): boolean {
  if (/\d/.test(text) || needsConsent(text, language) || limitingWords(text, language) !== null) return true;
  if (isDenying(withoutComparisons(text), language)) return true;
  return isPermitting(text, language) && !text.endsWith(':');
}

function limitColumn(
  { heads, rows }: PolicyTable,
  index: number,
  around: readonly PolicySentence[],
  language: PlainLanguage,
): LimitColumn | null {
  const head = heads[index]!;
  // The first column tells what a row is for.
  if (index === 0 || /\d/.test(head) || limitingWords(head, language) !== null) return null;
  const { rest, each } = withoutRate(head, language);
  const words = askedWords(withoutLimitWords(rest), language).filter(
    (word) => !isComparing(word) && !isKnownUnit(word),
  );
  const column = { index, words, unit: unitOf(head, language), each };
  const relation = headRelation(rest) ?? textRelation(around, tellingWords(rest, language), language);
  const isStated =
    relation !== null || rows.every(({ cells }) => limitsIn(cells[index]!, language).length === 1);
  return isStated && rows.some(({ cells }) => /\d/.test(cells[index]!)) ? { ...column, relation } : null;
}

const withoutLimitWords = (head: string): string =>
  head.replaceAll(/\p{L}+/gu, (word) => (headRelation(word) === null ? word : ' '));

function headRelation(head: string): Relation | null {
  const stated = relationOfWords(head);
  if (stated !== null) return stated;
  const before = boundBefore(`${head} `)?.bound;
  if (before === 'most' || before === 'least') return before;
  return BARE_LIMIT.test(head) ? 'most' : null;
}

/** `must not exceed the rate of the table`: the relation that a sentence states to a word of the head. */
function textRelation(
  around: readonly PolicySentence[],
  words: readonly string[],
  language: PlainLanguage,
): Relation | null {
  for (const { text } of around)
    for (const { 0: word, index } of text.matchAll(/\p{L}+/gu)) {
      if (!tellingWords(word, language).some((one) => words.includes(one))) continue;
      const bound = boundBefore(text.slice(Math.max(0, index - 40), index))?.bound;
      if (bound === 'most' || bound === 'least') return bound;
    }
  return null;
}

// An age limit may be the least age, and a time limit one to wait.
function isBareTime(
  { index, relation }: LimitColumn,
  heads: readonly string[],
  dimension: string,
  language: PlainLanguage,
): boolean {
  const head = heads[index]!;
  const isTime = dimension === 'time' || dimension === 'calendar';
  const isAge = tellingWords(heads.join(' '), language).some((word) => aspectsOf(word).includes('age'));
  return (isTime || isAge) && relation !== null && BARE_LIMIT.test(head) && relationOfWords(head) === null;
}

/** Returns a text without its rate (`per night`, `/night`), and what the rate counts; null: it has none. */
export function withoutRate(text: string, language: PlainLanguage): { rest: string; each: string | null } {
  const written = ` ${text.replaceAll('/', ` ${plainTable.rates[language].split('|')[0]!} `)}`;
  const rate = rateIn(written, language);
  if (rate === null) return { rest: text, each: null };
  return { rest: `${written.slice(0, rate.from)} ${written.slice(rate.to)}`.trim(), each: rate.each };
}

// The one unit or currency of a head: `limit (EUR)`, `distance in km`.
function unitOf(head: string, language: PlainLanguage): string | null {
  const words = withoutRate(head, language).rest.match(/\p{L}+|[%€$£¥]/gu) ?? [];
  const units = [...new Set(words.filter(isKnownUnit))];
  return units.length === 1 ? units[0]! : null;
}

function limitAskedFor(
  columns: readonly LimitColumn[],
  { question, facts, language }: TableCase,
): LimitColumn | null {
  const values = facts.flatMap(({ best: { value } }) =>
    typeof value === 'string' ? [foldedWords(value)] : [],
  );
  const asked = tellingWords(question, language);
  const named = columns.filter(
    ({ words }) =>
      words.length > 0 &&
      (words.every((word) => asked.includes(word)) ||
        values.some((value) => value.length === words.length && words.every((word, i) => word === value[i]))),
  );
  return named.length === 1 ? named[0]! : null;
}

/** Returns the figure of a cell that has nothing else but its unit, direction and rate. */
function cellLimit(cell: string, { unit }: LimitColumn, language: PlainLanguage): Limit | null {
  const [limit, ...others] = limitsIn(cell, language);
  if (limit === undefined || others.length > 0) return null;
  const rest = withoutComparisons(`${cell.slice(0, limit.from)} ${cell.slice(limit.to)}`);
  if (/[\p{L}\p{N}]/u.test(rest)) return null;
  if (limit.unit === '') return unit === null ? null : { ...limit, unit, said: `${limit.said} ${unit}` };
  if (!isKnownUnit(limit.unit)) return null;
  const isOther = unit !== null && measureOf(1, unit).dimension !== measureOf(1, limit.unit).dimension;
  return isOther ? null : limit;
}
