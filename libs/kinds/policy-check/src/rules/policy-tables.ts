/** A table among sentences. */
export interface TableOf<S> {
  /** Its first row. */
  header: S;
  /** Cells of its first row. */
  heads: readonly string[];
  rows: readonly RowOf<S>[];
}

export interface RowOf<S> {
  sentence: S;
  cells: readonly string[];
}

/** Returns whether a line of a section is a row of a table, as imported policies write them: `| Berlin | 140 EUR |`. */
export const isRow = (line: string): boolean => /^\s?\|.*\|\s?$/.test(line);

/** Returns whether a line only separates the head of a table from its rows. */
export const isDelimiter = (line: string): boolean => /^[\s|:-]+$/.test(line) && line.includes('-');

/** Returns the tables among the sentences of a section. One with a single row is none. */
export function tablesOf<S extends { text: string }>(sentences: readonly S[]): TableOf<S>[] {
  const tables: { header: S; rows: S[] }[] = [];
  let previous: S | null = null;
  for (const sentence of sentences) {
    if (isRow(sentence.text)) {
      if (previous !== null && isRow(previous.text)) tables.at(-1)!.rows.push(sentence);
      else tables.push({ header: sentence, rows: [] });
    }
    previous = sentence;
  }
  return tables
    .filter(({ rows }) => rows.length > 0)
    .map(({ header, rows }) => ({
      header,
      heads: cellsOf(header.text),
      rows: rows.map((sentence) => ({ sentence, cells: cellsOf(sentence.text) })),
    }));
}

function cellsOf(text: string): string[] {
  const inner = text.trim().replace(/^\||\|$/g, '');
  return inner.split('|').map((cell) => cell.trim());
}
