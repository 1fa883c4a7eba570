import { LOOK_AGAIN_MS, storableJson } from '@casefile/contracts';
import { quoteName, type Columns, type RowOf } from './columns.js';
import type { Statement } from './statement.js';

/** A named set of rows that a statement reads from one parameter. */
export interface RowSet<Row extends object> {
  readonly name: string;
  /** The set as part of a `with` clause: the text before and after the number of its parameter. */
  readonly text: readonly [string, string];
  /** Carries the type only. It has no value at run time. */
  readonly row?: Row;
}

/**
 * Returns a row set of these columns under `name`. Keys are in the form of records: the column `case_id` is
 * the key `caseId`.
 */
export function rowSet<const C extends Columns>(name: string, columns: C): RowSet<RowOf<C>> {
  const all = Object.entries(columns);
  const names = all.map(([column]) => quoteName(column)).join(', ');
  const keys = all.map(([column, type]) => `"${columnKey(column)}" ${type.replace(/[?=]$/, '')}`).join(', ');
  return {
    name,
    text: [`${name} (${names}) as (\n    select * from json_to_recordset($`, `::json) as r (${keys}))`],
  };
}

/** A row of this set. */
export type RowIn<S> = S extends RowSet<infer Row> ? Row : never;

/**
 * Builder for a statement with a `with` clause. Each row set is one parameter, a JSON list. So one plan
 * serves any number of rows, and text is made storable in one place.
 */
export class WithClause {
  private readonly parts: string[] = [];
  private readonly params: unknown[];

  /** @param first parameters that precede those of the row sets. */
  constructor(...first: unknown[]) {
    this.params = first;
  }

  /** Adds rows and the parts that read them. */
  rows<Row extends object>({ text }: RowSet<Row>, rows: readonly Row[], ...parts: string[]): this {
    this.params.push(storableJson(rows));
    return this.add(text.join(String(this.params.length)), ...parts);
  }

  /** Like `rows`, but only if there are rows. Returns whether there are. */
  someRows<Row extends object>(set: RowSet<Row>, rows: readonly Row[], ...parts: string[]): boolean {
    if (rows.length > 0) this.rows(set, rows, ...parts);
    return rows.length > 0;
  }

  add(...parts: string[]): this {
    this.parts.push(...parts);
    return this;
  }

  /** Returns the statement with this body. */
  statement(body: string): Statement {
    return { text: `with\n  ${this.parts.join(',\n  ')}\n${body}`, params: this.params };
  }
}

const columnKey = (column: string): string =>
  column.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

/** Time of the sweeper's next check of a row that is nudged now. */
export const NEXT_CHECK_AT = `now() + interval '${LOOK_AGAIN_MS} ms'`;

/** Returns SQL for the milliseconds of a timestamptz expression. null stays null. */
export const msOf = (expression: string): string => `(extract(epoch from ${expression}) * 1000)::float8`;

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Returns whether a text is a UUID. Ids arrive in jobs and URLs, and every id on the record is a UUID. */
export function isUuid(text: string): boolean {
  return UUID.test(text);
}
