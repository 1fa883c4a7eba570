import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { useRef, useState, type ReactNode } from 'react';
import { cx } from './cx.js';
import { ROW } from './walk-rows.js';
import { ScrollRegion } from './scroll-table.js';
import { nextSorting, sortRows, type Column, type Sorting } from './table-columns.js';
import { TableTools, useHiddenColumns } from './table-tools.js';
import './table.css';

/** Number of rows from which only those near the window are rendered, and their estimated height in pixels. */
const VIRTUAL_FROM = 200;
const ROW_PX = 41;

interface DataTableProps<Row> {
  /** Name of the table: for its columns in this browser and the file of its export. */
  name: string;
  label: string;
  rows: readonly Row[];
  columns: readonly Column<Row>[];
  rowKey(row: Row): string;
  /** Whether columns can be chosen and rows exported. Default: yes. */
  tools?: boolean;
  /** `figures`: cells are right-aligned, and the table scrolls if it is wider than its card. Default: `words`. */
  look?: 'words' | 'figures';
}

/**
 * A table that is sorted by a click on the head of a column. j and k move between its rows. On a phone, each row of a
 * table of words is a block.
 */
export function DataTable<Row>({
  name,
  label,
  rows,
  columns,
  rowKey,
  tools = true,
  look = 'words',
}: DataTableProps<Row>) {
  const [sorting, setSorting] = useState<Sorting | null>(null);
  const [hidden, hide] = useHiddenColumns(name);
  const shown = columns.filter((column, i) => i === 0 || !hidden.has(column.name));
  const sorted = sortRows(rows, columns, sorting);
  const table = useRef<HTMLTableElement>(null);
  const isVirtual = sorted.length >= VIRTUAL_FROM;
  const virtual = useWindowVirtualizer({
    count: isVirtual ? sorted.length : 0,
    estimateSize: () => ROW_PX,
    overscan: 12,
    scrollMargin: table.current?.offsetTop ?? 0,
  });
  const items = virtual.getVirtualItems();
  const first = isVirtual ? (items[0]?.index ?? 0) : 0;
  const end = isVirtual ? (items.at(-1)?.index ?? -1) + 1 : sorted.length;
  const before = isVirtual ? (items[0]?.start ?? 0) - virtual.options.scrollMargin : 0;
  const after = isVirtual ? (sorted.length - end) * ROW_PX : 0;
  return (
    <>
      {tools && <TableTools name={name} rows={sorted} columns={columns} hidden={hidden} hide={hide} />}
      <Frame look={look} label={label}>
        <table
          ref={table}
          className={look === 'words' ? 'table table-words table-stacked' : 'table'}
          aria-label={label}
          aria-rowcount={sorted.length + 1}
        >
          <thead>
            <tr>
              {shown.map((column) => (
                <th key={column.name} scope="col" aria-sort={directionOf(column.name, sorting)}>
                  {column.value === null ? (
                    column.name
                  ) : (
                    <button
                      type="button"
                      className="table-sort"
                      onClick={() => setSorting(nextSorting(sorting, column.name))}
                    >
                      {column.name}
                      {sorting?.name === column.name && (sorting.isDescending ? ' ↓' : ' ↑')}
                    </button>
                  )}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {before > 0 && <Space height={before} columns={shown.length} />}
            {sorted.slice(first, end).map((row) => (
              <tr key={rowKey(row)} {...ROW}>
                {shown.map((column, i) =>
                  i === 0 ? (
                    <th key={column.name} scope="row" className={column.className}>
                      {column.cell(row)}
                    </th>
                  ) : (
                    <td key={column.name} data-label={column.name} className={cx(column.className)}>
                      <span>{column.cell(row)}</span>
                    </td>
                  ),
                )}
              </tr>
            ))}
            {after > 0 && <Space height={after} columns={shown.length} />}
          </tbody>
        </table>
      </Frame>
    </>
  );
}

function Frame({ look, label, children }: { look: 'words' | 'figures'; label: string; children: ReactNode }) {
  if (look === 'words') return children;
  return <ScrollRegion label={label}>{children}</ScrollRegion>;
}

function directionOf(name: string, sorting: Sorting | null): 'ascending' | 'descending' | undefined {
  if (sorting?.name !== name) return undefined;
  return sorting.isDescending ? 'descending' : 'ascending';
}

// Takes the room of rows that are not rendered.
function Space({ height, columns }: { height: number; columns: number }) {
  return (
    <tr aria-hidden="true">
      <td colSpan={columns} style={{ height }} />
    </tr>
  );
}
