import type { PolicySentence, Section } from './sections-and-facts.js';

/** A table of a section as the rules read it. */
export interface PolicyTable {
  section: Section;
  /** Its first row. */
  header: PolicySentence;
  /** Cells of its first row. */
  heads: readonly string[];
  rows: readonly TableRow[];
}

export interface TableRow {
  sentence: PolicySentence;
  cells: readonly string[];
}

/** Returns whether a line of a section is a row of a table, as imported policies write them: `| Berlin | 140 EUR |`. */
export const isRow = (line: string): boolean => /^\s?\|.*\|\s?$/.test(line);

/** Returns whether a line only separates the head of a table from its rows. */
export const isDelimiter = (line: string): boolean => /^[\s|:-]+$/.test(line) && line.includes('-');

/** Returns the tables of a section. One with a single row, or of a shortened section, is none. */
export function tablesOf(section: Section): PolicyTable[] {
  const tables: { header: PolicySentence; rows: PolicySentence[] }[] = [];
  let previous: PolicySentence | null = null;
  for (const sentence of section.sentences) {
    if (isRow(sentence.text)) {
      if (previous !== null && isRow(previous.text)) tables.at(-1)!.rows.push(sentence);
      else tables.push({ header: sentence, rows: [] });
    }
    previous = sentence;
  }
  if (section.node.cut) return [];
  return tables
    .filter(({ rows }) => rows.length > 0)
    .map(({ header, rows }) => ({
      section,
      header,
      heads: cellsOf(header.text),
      rows: rows.map((sentence) => ({ sentence, cells: cellsOf(sentence.text) })),
    }));
}

function cellsOf(text: string): string[] {
  const inner = text.trim().replace(/^\||\|$/g, '');
  return inner.split('|').map((cell) => cell.trim());
}

/** Returns the table that a sentence is a row of; null: it is none. */
export const tableOf = (sentence: PolicySentence): PolicyTable | null =>
  sentence.section.tables.find(
    ({ header, rows }) => header === sentence || rows.some((row) => row.sentence === sentence),
  ) ?? null;
