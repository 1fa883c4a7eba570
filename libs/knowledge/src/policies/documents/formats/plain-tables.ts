/** A row of a table that is drawn with spaces or bars. */
interface Drawn {
  cells: string[];
  /** Column at which each cell begins. null: bars separate the cells. */
  starts: number[] | null;
}

/** Rows, with the head, from which lines with columns of spaces are a table. */
const FEWEST_ROWS = 3;
/** Rows, with the head, from which lines with bars are a table. */
const FEWEST_WITH_BARS = 2;
/** UTF-16 units of a line that may be a row. */
const LONGEST = 400;
/** A line under the head of a table. */
const RULE = /^[\s|:=+-]+$/;

/** Returns the row of a table in the form of Markdown. */
export const tableRow = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

/** Returns whether a line can be the head of a table with columns of spaces: it has cells, and so has another line. */
export function isTableHead(line: string, row: string): boolean {
  const [head, first] = [drawnRow(line), drawnRow(row)];
  return head !== null && first !== null && isSameTable(head, first);
}

/**
 * Rewrites tables that are drawn with bars or aligned columns as rows in the form of Markdown, without the lines
 * under their heads. Returns each line with whether it is a row. Linear in the length of the lines.
 */
export function withTableRows(lines: readonly string[]): { text: string; isRow: boolean }[] {
  const given = lines.map((line) => ({ line, row: drawnRow(line), isRule: isRule(line) }));
  const result: { text: string; isRow: boolean }[] = [];
  for (let i = 0; i < given.length;) {
    const head = given[i]?.row ?? null;
    const rows: Drawn[] = [];
    let end = i;
    for (let next = given[end]; head !== null && next !== undefined; next = given[end]) {
      if (next.row !== null && isSameTable(head, next.row)) rows.push(next.row);
      else if (!next.isRule) break;
      end += 1;
    }
    if (rows.length >= (head?.starts === null ? FEWEST_WITH_BARS : FEWEST_ROWS)) {
      result.push(...rows.map(({ cells }) => ({ text: tableRow(cells), isRow: true })));
      i = end;
    } else {
      result.push({ text: given[i]?.line ?? '', isRow: false });
      i += 1;
    }
  }
  return result;
}

const isRule = (line: string): boolean => RULE.test(line.slice(0, LONGEST)) && line.includes('-');

function isSameTable(a: Drawn, b: Drawn): boolean {
  if (a.cells.length !== b.cells.length || (a.starts === null) !== (b.starts === null)) return false;
  return a.starts === null || a.starts.every((start, i) => start === b.starts?.[i]);
}

function drawnRow(line: string): Drawn | null {
  if (line.length > LONGEST || line.trim() === '' || isRule(line)) return null;
  if (line.includes('|')) {
    const cells = line.trim().replace(/^\|/, '').replace(/\|$/, '').split('|');
    return cells.length < 2 ? null : { cells: cells.map((cell) => cell.trim()), starts: null };
  }
  const parts = [...line.matchAll(/\S{1,400}(?: \S{1,400}){0,200}/g)];
  if (parts.length < 2) return null;
  return { cells: parts.map(([cell]) => cell), starts: parts.map(({ index }) => index) };
}
