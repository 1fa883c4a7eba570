import { excerpt, oneLine } from '@casefile/kit/output/escape';
import type { Colors } from '../output/terminal.js';

/** The request that an answer belongs to. */
export interface Request {
  /** Values of the fields of the request by name. */
  values: Readonly<Record<string, unknown>>;
  /** Options of the command that are no field of the request. */
  options: Readonly<Record<string, unknown>>;
  colors: Colors;
}

/** Form in which the command line prints an answer of the API. */
export interface View<A> {
  lines(answer: A, request: Request): readonly string[];
  /** Exit code after the answer. Default: 0. */
  exitCode?(answer: A, request: Request): number;
  /** Line for standard error; null: none. */
  note?(answer: A): string | null;
}

/** Escapes a line, and keeps its indentation. */
const safeLine = (line: string): string => `${/^ {0,8}/.exec(line)?.[0] ?? ''}${oneLine(line)}`;

/** Text of one column of a row. */
export type Column<T> = (row: T) => string;

/** Widest cell that makes its column wider. */
const WIDEST = 48;

/** Returns rows as lines with aligned columns. Texts of others are escaped. */
export function aligned(cells: readonly (readonly string[])[]): string[] {
  const safe = cells.map((row) => row.map(oneLine));
  const widths = Array.from({ length: Math.max(0, ...safe.map((row) => row.length)) }, (_, column) =>
    Math.max(...safe.map((row) => row[column] ?? '').map(({ length }) => (length > WIDEST ? 0 : length))),
  );
  return safe.map((row) => {
    const lead = row.map((cell, column) => cell.padEnd(widths[column] ?? 0));
    return lead
      .filter((cell) => cell !== '')
      .join('  ')
      .trimEnd();
  });
}

/** Parts of a list besides its rows. */
interface ListParts<A, T> {
  /** Line instead of rows. Default: none. */
  none?: string;
  /** Lines below each row. They are indented. */
  below?: (row: T) => readonly string[];
  /** Lines after all rows. */
  after?: (answer: A) => readonly string[];
  note?: (answer: A) => string | null;
}

/** Returns the view of a list: one line per row, with aligned columns. */
export function rows<A, T>(
  of: (answer: A) => readonly T[],
  columns: readonly Column<T>[],
  { none, below = () => [], after = () => [], note }: ListParts<A, T> = {},
): View<A> {
  return {
    lines: (answer, { values }) => {
      const all = of(answer);
      const isFiltered = Object.keys(values).some((name) => name !== 'limit');
      const lines = aligned(all.map((row) => columns.map((column) => column(row))));
      const whole = lines.flatMap((line, i) => [line, ...indented(all[i], below)]);
      const empty = none === undefined ? [] : [isFiltered ? 'Nothing matches.' : none];
      return [...(all.length === 0 ? empty : whole), ...after(answer).map(safeLine)];
    },
    ...(note === undefined ? {} : { note }),
  };
}

function indented<T>(row: T | undefined, below: (row: T) => readonly string[]): string[] {
  return row === undefined ? [] : below(row).map((line) => `  ${oneLine(line)}`);
}

/** Returns the view of one row, with lines that follow it. */
export function row<T, A extends T = T>(
  columns: readonly Column<T>[],
  after: (answer: A, request: Request) => readonly string[] = () => [],
  below?: (row: T) => readonly string[],
): View<A> {
  const { lines } = rows((answer: T) => [answer], columns, below === undefined ? {} : { below });
  return { lines: (answer, request) => [...lines(answer, request), ...after(answer, request).map(safeLine)] };
}

/** Returns the view of an answer as sentences. */
export function sentences<A>(of: (answer: A, request: Request) => readonly string[]): View<A> {
  return { lines: (answer, request) => of(answer, request).map(safeLine) };
}

/** Returns a time in UTC without milliseconds: `2026-01-05T10:00:00Z`. */
export const time = (iso: string): string => `${iso.slice(0, 19)}Z`;

/** Returns an amount of US dollars: `$0.12`; below one cent two digits: `$0.0034`. */
export const usd = (amount: number): string =>
  `$${amount > 0 && amount < 0.01 ? amount.toPrecision(2) : amount.toFixed(2)}`;

const LONGEST = 60;

/** View of an answer without a view of its own: its list as a table with headings, or one line per field. */
export const plain: View<unknown> = {
  lines: (answer) => {
    if (typeof answer !== 'object' || answer === null) return [valueText(answer)];
    const lists = Object.entries(answer).flatMap(([name, value]) => (isRows(value) ? [[name, value]] : []));
    const [list] = lists as [string, Record<string, unknown>[]][];
    if (list !== undefined && lists.length === 1 && Object.keys(answer).length <= 3) return tableOf(list[1]);
    return aligned(Object.entries(answer).map(([name, value]) => [name, valueText(value)]));
  },
};

function isRows(value: unknown): value is Record<string, unknown>[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'object' && one !== null);
}

function tableOf(all: readonly Record<string, unknown>[]): string[] {
  if (all.length === 0) return ['Nothing found.'];
  const names = [...new Set(all.flatMap(Object.keys))].filter((name) =>
    all.some((one) => one[name] !== null && typeof one[name] !== 'object'),
  );
  return aligned([names, ...all.map((one) => names.map((name) => valueText(one[name] ?? '-')))]);
}

function valueText(value: unknown): string {
  return excerpt(typeof value === 'string' ? value : JSON.stringify(value), LONGEST);
}
