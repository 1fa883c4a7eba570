import { compareMeasures, limitsIn, measureIn, type Measure } from '@casefile/pipeline/reading/index';
import type { Relation } from '@casefile/pipeline/reading/index';
import { foldedWords, hasForm, isMeasureWord, tellingWords, type PlainLanguage } from './plain-words.js';
import { measureOfFact } from './measured-facts.js';
import {
  isDenied,
  valueWords,
  type NamedFact,
  type PolicyTable,
  type TableRow,
} from './sections-and-facts.js';

/** A column whose cells tell what a row is for: names (`Berlin`) or ranges (`51 to 100 km`). */
export interface KeyColumn {
  index: number;
  head: string;
  /** Unit of the head (`distance in km`); null: it has none. */
  unit: string | null;
}

interface RowCase {
  question: string;
  facts: readonly NamedFact[];
  language: PlainLanguage;
  /** Words of the section around the table. */
  told: readonly string[];
}

/** Rows that the case may mean, the facts that chose them, and the words by which they were chosen. */
export interface ChosenRows {
  rows: TableRow[];
  facts: NamedFact[];
  words: string[];
}

/** Returns the rows that a case chooses in each key column by a fact or by words of the question; none: a column chooses none. */
export function chosenRows(table: PolicyTable, keys: readonly KeyColumn[], at: RowCase): ChosenRows {
  const chosen: ChosenRows = { rows: [...table.rows], facts: [], words: [] };
  for (const key of keys) {
    const by = rowsByColumn(table, key, at);
    chosen.rows = chosen.rows.filter((row) => by.rows.includes(row));
    chosen.facts.push(...by.facts);
    chosen.words.push(...by.words);
  }
  return chosen;
}

function rowsByColumn(table: PolicyTable, key: KeyColumn, at: RowCase): ChosenRows {
  const none: ChosenRows = { rows: [], facts: [], words: [] };
  const ranges = table.rows.map((row) => rangeOf(row.cells[key.index]!, key.unit, at.language));
  const facts = factsOf(key, at);
  const [fact] = facts;
  if (facts.length > 1) return none;
  if (ranges.every((range) => range !== null)) {
    if (fact === undefined) return none;
    const rows = table.rows.filter((_row, i) => isWithin(fact, ranges[i]!, at.language));
    return { rows, facts: [fact], words: [] };
  }
  return fact === undefined ? rowsByQuestion(table, key, at) : rowsByFact(table, key, fact, at);
}

// The name of the fact must have a word of the head, and no word that neither the section nor the question has.
function factsOf({ head }: KeyColumn, { question, facts, language, told }: RowCase): NamedFact[] {
  const heads = tellingWords(head, language);
  const known = [...heads, ...told, ...tellingWords(question, language)];
  return facts.filter((fact) => {
    const words = tellingWords(fact.name.replaceAll('_', ' '), language).filter(
      (word) => !isMeasureWord(word),
    );
    return (
      words.some((word) => hasForm(heads, word, language)) &&
      words.every((word) => hasForm(known, word, language))
    );
  });
}

/** Separators of several names in one cell. */
const NAMES = /[,;/]|\s(?:or|oder|ou|o|of)\s/u;

function rowsByFact(table: PolicyTable, { index }: KeyColumn, fact: NamedFact, at: RowCase): ChosenRows {
  const value = foldedWords(String(fact.best.value)).join(' ');
  const isNamed = ({ cells }: TableRow) =>
    value !== '' && cells[index]!.split(NAMES).some((name) => foldedWords(name).join(' ') === value);
  const words = tellingWords(String(fact.best.value), at.language);
  const known = knownWordsOf(at);
  // `Berlin (trade fair)` may be the row too if the case has a word of it.
  const isNarrower = ({ cells }: TableRow) => {
    const own = tellingWords(cells[index]!, at.language);
    return (
      words.every((word) => hasForm(own, word, at.language)) &&
      own.some((word) => !hasForm(words, word, at.language) && hasForm(known, word, at.language))
    );
  };
  return { rows: table.rows.filter((row) => isNamed(row) || isNarrower(row)), facts: [fact], words };
}

// A name that the question has in full. A row whose other words only a fact has may be meant as well.
function rowsByQuestion(table: PolicyTable, { index }: KeyColumn, at: RowCase): ChosenRows {
  const { language } = at;
  const asked = tellingWords(at.question, language);
  const known = knownWordsOf(at);
  const names = table.rows.map((row) => ({ row, words: tellingWords(row.cells[index]!, language) }));
  const within = (words: readonly string[], all: readonly string[]) =>
    words.length > 0 && words.every((word) => hasForm(all, word, language));
  const named = names.filter(({ words }) => within(words, asked));
  const rows = named.length === 0 ? [] : names.filter(({ words }) => within(words, known));
  return { rows: rows.map(({ row }) => row), facts: [], words: named.flatMap(({ words }) => words) };
}

const knownWordsOf = ({ question, facts, language }: RowCase): string[] => [
  ...tellingWords(question, language),
  ...facts
    .filter((fact) => !isDenied(fact))
    .flatMap((fact) =>
      tellingWords([fact.name.replaceAll('_', ' '), ...valueWords(fact)].join(' '), language),
    ),
];

interface Bound {
  relation: Relation;
  measure: Measure;
  unit: string;
}

const FROM_TO =
  /^(?:\p{L}{2,8}\s)?(?<from>\d[\d.,]{0,12})\s?(?<unit>[^\s\d–—-]{1,12})?\s?(?:[-–—]|to|and|bis|und|à|et|a|y|e|tot|en|até)\s?(?<to>\d[\d.,]{0,12})(?:\s?(?<last>\p{L}{1,12}))?$/iu;

/** Returns the bounds of a cell such as `51 to 100 km` or `over 100 km`; null: it is no range. */
function rangeOf(cell: string, head: string | null, language: PlainLanguage): Bound[] | null {
  const { from, to, unit, last } = FROM_TO.exec(cell)?.groups ?? {};
  const written = last ?? unit ?? head;
  if (from !== undefined && to !== undefined)
    return written === null
      ? null
      : boundsOf(
          [
            ['least', from],
            ['most', to],
          ],
          written,
          language,
        );
  const [limit, ...others] = limitsIn(cell, language);
  if (limit === undefined || others.length > 0 || limit.relation === null) return null;
  const own = limit.unit === '' ? head : limit.unit;
  const digits = /\d[\d.,]*/.exec(limit.said)?.[0];
  return own === null || digits === undefined ? null : boundsOf([[limit.relation, digits]], own, language);
}

function boundsOf(
  parts: readonly (readonly [Relation, string])[],
  unit: string,
  language: PlainLanguage,
): Bound[] | null {
  const bounds = parts.flatMap(([relation, figure]): Bound[] => {
    const measure = measureIn(figure, unit, language);
    return measure === null ? [] : [{ relation, measure, unit }];
  });
  return bounds.length === parts.length ? bounds : null;
}

function isWithin(fact: NamedFact, bounds: readonly Bound[], language: PlainLanguage): boolean {
  return bounds.every(({ relation, measure, unit }) => {
    const value = measureOfFact(fact, { measure, limit: { unit }, language });
    return value !== null && compareMeasures(value, relation, measure) === true;
  });
}
