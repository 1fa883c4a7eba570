import { TABLES } from '../generated/tables.js';
import { KEPT_COLUMNS } from './kept-columns.js';
import { ERASURE_RULES, type ErasureRule } from './erasure-rules.js';

const CAN_HOLD_TEXT = /^(?:text|text\[\]|json|jsonb|bytea|tsvector|real\[\])[?=]?$/;

const places = ERASURE_RULES as Partial<Record<string, ErasureRule>>;

/** Returns the lists that declare a column. */
function declaredIn(table: string, column: string): string[] {
  const kept = KEPT_COLUMNS[table as keyof typeof KEPT_COLUMNS];
  const erased = places[table]?.columns[column] !== undefined;
  const isKept = typeof kept === 'string' ? !erased : kept?.[column] !== undefined;
  return [...(erased ? ['places'] : []), ...(isKept ? ['kept'] : [])];
}

describe('columns with content of cases', () => {
  const columns = Object.entries(TABLES).flatMap(([table, types]) =>
    Object.entries(types).flatMap(([column, type]) =>
      CAN_HOLD_TEXT.test(type) ? [[table, column] as const] : [],
    ),
  );

  it.each(columns)('%s.%s is declared as erasable or as free of content', (table, column) => {
    expect(declaredIn(table, column)).toHaveLength(1);
  });

  it('the lists name no column that is not in the schema', () => {
    const known = new Set(columns.map(([table, column]) => `${table}.${column}`));
    const named = [...Object.entries(places), ...Object.entries(KEPT_COLUMNS)].flatMap(([table, list]) => {
      const own =
        typeof list === 'string' ? {} : 'columns' in (list as object) ? (list as ErasureRule).columns : list;
      return Object.keys(own ?? {}).map((column) => `${table}.${column}`);
    });
    expect(named.filter((column) => !known.has(column))).toEqual([]);
  });
});
