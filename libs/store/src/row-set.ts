import { LOOK_AGAIN_MS, storableJson } from '@casefile/contracts';
import { quoted, type Columns, type RowOf } from './columns.js';
import type { Statement } from './statement.js';

/** Rows that a statement reads from one parameter, under a name of their own. */
export interface RowSet<Row extends object> {
  readonly name: string;
  /** The set as a part of a `with` clause, around the number of its parameter. */
  readonly text: readonly [string, string];
  /** For the type alone: there is no such value. */
  readonly row?: Row;
}

/** Rows of these columns under `name`. The column `case_id` of a row is the key `caseId`, as records have it. */
export function rowSet<const C extends Columns>(name: string, columns: C): RowSet<RowOf<C>> {
  const all = Object.entries(columns);
  const names = all.map(([column]) => quoted(column)).join(', ');
  const keys = all.map(([column, type]) => `"${keyOf(column)}" ${type.replace(/[?=]$/, '')}`).join(', ');
  return {
    name,
    text: [`${name} (${names}) as (\n    select * from json_to_recordset($`, `::json) as r (${keys}))`],
  };
}

/** A row of this set. */
export type RowIn<S> = S extends RowSet<infer Row> ? Row : never;

/**
 * A statement whose `with` clause is put together, in the order of the calls. Each set of rows is one parameter, a JSON list:
 * many rows for one plan, and one place where text is made fit for the database.
 */
export class WithClause {
  private readonly parts: string[] = [];
  private readonly params: unknown[];

  /** @param first the parameters before those of the sets. */
  constructor(...first: unknown[]) {
    this.params = first;
  }

  /** Adds rows, and parts that read them. */
  rows<Row extends object>({ text }: RowSet<Row>, rows: readonly Row[], ...parts: string[]): this {
    this.params.push(storableJson(rows));
    return this.add(text.join(String(this.params.length)), ...parts);
  }

  /** As `rows`, if there are any. Returns whether there are. */
  someRows<Row extends object>(set: RowSet<Row>, rows: readonly Row[], ...parts: string[]): boolean {
    if (rows.length > 0) this.rows(set, rows, ...parts);
    return rows.length > 0;
  }

  add(...parts: string[]): this {
    this.parts.push(...parts);
    return this;
  }

  /** The statement with this body. */
  statement(body: string): Statement {
    return { text: `with\n  ${this.parts.join(',\n  ')}\n${body}`, params: this.params };
  }
}

const keyOf = (column: string): string =>
  column.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

/** When the sweeper looks next at what was nudged now. */
export const AGAIN = `now() + interval '${LOOK_AGAIN_MS} ms'`;

/** Milliseconds from a column or expression of timestamptz, null for null. */
export const msOf = (expression: string): string => `(extract(epoch from ${expression}) * 1000)::float8`;

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Ids come in from jobs and URLs; what is not a UUID is on no record. */
export function isUuid(text: string): boolean {
  return UUID.test(text);
}
