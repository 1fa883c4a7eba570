import { LOOK_AGAIN_MS, storableJson } from '@casefile/contracts';

/**
 * The parameters of one statement, each a JSON list of rows: many rows for one plan, and one place
 * where text is made fit for the database.
 */
export class RowSets {
  readonly params: string[] = [];

  /**
   * The rows as a table `name` for a `from` clause. `columns` are its names and types as in SQL; of a row the column `case_id` is
   * the key `caseId`, as records have it; a name in quotes is the key as it is.
   */
  add(name: string, columns: string, rows: readonly object[]): string {
    this.params.push(storableJson(rows));
    const { keys, names } = columnsOf(columns);
    return `(select * from json_to_recordset($${this.params.length}::json) as r(${keys})) as ${name}(${names})`;
  }
}

interface Columns {
  /** Names as the rows have them, with their types. */
  keys: string;
  /** Names as the statement has them. */
  names: string;
}

// The same few lists come again and again.
const KNOWN = new Map<string, Columns>();

function columnsOf(list: string): Columns {
  let known = KNOWN.get(list);
  if (known === undefined) {
    const columns = list.split(',').map((column) => column.trim().split(' '));
    known = {
      keys: columns.map(([name = '', type]) => `${keyOf(name)} ${type}`).join(', '),
      names: columns.map(([name]) => name).join(', '),
    };
    KNOWN.set(list, known);
  }
  return known;
}

const keyOf = (column: string): string =>
  column.startsWith('"')
    ? column
    : `"${column.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())}"`;

/** When the sweeper looks next at what was nudged now. */
export const AGAIN = `now() + interval '${LOOK_AGAIN_MS} ms'`;

/** Milliseconds from a column or expression of timestamptz, null for null. */
export const msOf = (expression: string): string => `(extract(epoch from ${expression}) * 1000)::float8`;

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Ids come in from jobs and URLs; what is not a UUID is on no record. */
export function isUuid(text: string): boolean {
  return UUID.test(text);
}
