import { encode } from './storable.js';

/**
 * The parameters of one statement, each a JSON list of rows: many rows for one plan, and one place
 * where text is made fit for the database.
 */
export class RowSets {
  readonly params: string[] = [];

  /** `json_to_recordset($n) as <name>(<columns>)`, for a `from` clause. */
  add(name: string, columns: string, rows: readonly object[]): string {
    this.params.push(encode(rows));
    return `json_to_recordset($${this.params.length}::json) as ${name}(${columns})`;
  }
}

/** Milliseconds from a column or expression of timestamptz, null for null. */
export const msOf = (expression: string): string => `(extract(epoch from ${expression}) * 1000)::float8`;

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Ids come in from jobs and URLs; what is not a UUID is on no record. */
export function isUuid(text: string): boolean {
  return UUID.test(text);
}
