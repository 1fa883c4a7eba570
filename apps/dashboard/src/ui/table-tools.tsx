import { useState } from 'react';
import { t } from '../strings/text.js';
import { Button } from './button.js';
import { csvText, type Column } from './table-columns.js';
import './table-tools.css';

/** Returns the names of the columns that are hidden, stored in this browser, and a function that sets them. */
export function useHiddenColumns(
  table: string,
): [ReadonlySet<string>, (hidden: ReadonlySet<string>) => void] {
  const key = `casefile.columns.${table}`;
  const [hidden, setHidden] = useState<ReadonlySet<string>>(
    () => new Set((localStorage.getItem(key) ?? '').split('\n').filter((name) => name !== '')),
  );
  return [
    hidden,
    (next) => {
      localStorage.setItem(key, [...next].join('\n'));
      setHidden(next);
    },
  ];
}

interface TableToolsProps<Row> {
  /** Name of the table, for the file of the export. */
  name: string;
  rows: readonly Row[];
  columns: readonly Pick<Column<Row>, 'name' | 'value'>[];
  hidden: ReadonlySet<string>;
  hide(hidden: ReadonlySet<string>): void;
  /** Number of columns at the start that stay. Default: 1. */
  fixed?: number;
}

/** Chooses the columns of a table, and exports its rows with these columns as CSV. */
export function TableTools<Row>({ name, rows, columns, hidden, hide, fixed = 1 }: TableToolsProps<Row>) {
  const toggle = (column: string): void => {
    const next = new Set(hidden);
    if (!next.delete(column)) next.add(column);
    hide(next);
  };
  const download = (): void => {
    const shown = columns.filter((column) => !hidden.has(column.name));
    const link = document.createElement('a');
    link.href = URL.createObjectURL(new Blob([csvText(rows, shown)], { type: 'text/csv' }));
    link.download = `${name}.csv`;
    link.click();
    URL.revokeObjectURL(link.href);
  };
  return (
    <div className="table-tools">
      <details>
        <summary>{t('ui.columns')}</summary>
        <div className="table-tools-columns">
          {columns.slice(fixed).map((column) => (
            <label key={column.name}>
              <input
                type="checkbox"
                checked={!hidden.has(column.name)}
                onChange={() => toggle(column.name)}
              />{' '}
              {column.name}
            </label>
          ))}
        </div>
      </details>
      <Button kind="bare" small onClick={download}>
        {t('ui.exportCsv')}
      </Button>
    </div>
  );
}
