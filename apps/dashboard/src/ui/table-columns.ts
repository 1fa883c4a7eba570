import type { ReactNode } from 'react';

/** A column of a table of rows. */
export interface Column<Row> {
  name: string;
  /** Shows the cell. */
  cell(row: Row): ReactNode;
  /**
   * Value by which rows are sorted and that is exported; a row without one is sorted last. null: a column of acts,
   * which is neither sorted nor exported.
   */
  value: ((row: Row) => string | number | null) | null;
  className?: string;
}

/** Column by which a table is sorted, and the direction. */
export interface Sorting {
  name: string;
  isDescending: boolean;
}

/** Returns the sorting after a click on the head of a column: ascending, descending, then the given order. */
export function nextSorting(sorting: Sorting | null, name: string): Sorting | null {
  if (sorting?.name !== name) return { name, isDescending: false };
  return sorting.isDescending ? null : { name, isDescending: true };
}

const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

/** Sorts rows by a column. Rows without a value are last in both directions. */
export function sortRows<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  sorting: Sorting | null,
): readonly Row[] {
  const value = columns.find(({ name }) => name === sorting?.name)?.value ?? null;
  if (value === null || sorting === null) return rows;
  const sign = sorting.isDescending ? -1 : 1;
  return rows
    .map((row) => ({ row, value: value(row) }))
    .sort((a, b) => {
      if (a.value === null || b.value === null) return Number(a.value === null) - Number(b.value === null);
      return sign * compared(a.value, b.value);
    })
    .map(({ row }) => row);
}

function compared(a: string | number, b: string | number): number {
  return typeof a === 'number' && typeof b === 'number' ? a - b : collator.compare(String(a), String(b));
}

/** Characters with which spreadsheets begin a formula. */
const FORMULA = /^[=+\-@\t\r]/;

/** Returns rows as CSV (RFC 4180). A text that a spreadsheet would run as a formula begins with an apostrophe. */
export function csvText<Row>(
  rows: readonly Row[],
  columns: readonly Pick<Column<Row>, 'name' | 'value'>[],
): string {
  const exported = columns.flatMap(({ name, value }) => (value === null ? [] : [{ name, value }]));
  const lines = [
    exported.map(({ name }) => csvCell(name)),
    ...rows.map((row) => exported.map(({ value }) => csvCell(value(row)))),
  ];
  return lines.map((cells) => `${cells.join(',')}\r\n`).join('');
}

function csvCell(value: string | number | null): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const text = FORMULA.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
