import type { ErasableClass } from '@casefile/contracts';
import { quoteName } from '../columns.js';
import type { Emptying, RowScope, ErasureRule } from './erasure-rules.js';

/** A statement on the rows of a case in one table. $1: the case; $2: its runs. */
export interface PlaceStatement {
  table: string;
  columns: string[];
  text: string;
}

const SCOPES: Record<Exclude<RowScope, 'rule'>, string> = {
  case: 't.case_id = $1::uuid',
  runs: 't.run_id = any($2::uuid[])',
  attempts: 't.delivery_id in (select d.id from outbound_deliveries d where d.case_id = $1::uuid)',
};

/** SHA-256 over the key ($4) and the SHA-256 of a text. Without the key, guesses of a short text cannot be tested. */
export const digestOf = (text: string): string =>
  `encode(sha256(convert_to($4::text, 'UTF8') || sha256(convert_to(${text}, 'UTF8'))), 'hex')`;

/** The tombstone of a text. $3: `{ at, by, reason }`. */
export const tombstoneOf = (text: string): string =>
  `json_build_object('erased', true, 'at', $3::json ->> 'at', 'by', $3::json ->> 'by', 'reason', $3::json ->> 'reason',
    'digest', ${digestOf(text)})`;

const has = (column: string, by: Emptying): string => {
  const at = `t.${quoteName(column)}`;
  if (by === 'tombstone') return `(${at} ->> 'erased') is distinct from 'true'`;
  if (by === 'blank') return `${at} <> ''`;
  if (by === 'list') return `${at}::text <> '[]'`;
  return `${at} is not null`;
};

function emptied(by: Emptying, content: string): string {
  if (by === 'tombstone') return tombstoneOf(content);
  if (by === 'blank') return `''`;
  if (by === 'list') return `'[]'`;
  return 'null';
}

const wanted = (table: ErasureRule, classes: readonly ErasableClass[]): [string, Emptying][] =>
  Object.entries(table.columns).flatMap(([column, place]) =>
    place.classes.some((one) => classes.includes(one)) ? [[column, place.by] as [string, Emptying]] : [],
  );

// Every parameter is named, so that Postgres knows the types of those that a statement does not use.
const GIVEN = 'given as (select $1::uuid, $2::uuid[], $3::json, $4::text)';

/** Returns the statement that erases these classes in a table; null: it has none of them. */
export function erasing(
  name: string,
  table: ErasureRule,
  classes: readonly ErasableClass[],
): PlaceStatement | null {
  const columns = wanted(table, classes);
  if (table.scope === 'rule' || columns.length === 0) return null;
  const rows = `${SCOPES[table.scope]}${table.only === undefined ? '' : ` and ${table.only}`}`;
  if (columns.some(([, by]) => by === 'row')) {
    const text = `with ${GIVEN} delete from ${name} t where ${rows}`;
    return { table: name, columns: columns.map(([column]) => column), text };
  }
  // The digest covers all columns that the statement empties.
  const content = `concat_ws(chr(10), ${columns.map(([column]) => `t.${quoteName(column)}::text`).join(', ')})`;
  const set = columns.map(([column, by]) => `${quoteName(column)} = ${emptied(by, content)}`);
  const left = columns.map(([column, by]) => has(column, by)).join(' or ');
  const text = `with ${GIVEN} update ${name} t set ${set.join(', ')} where ${rows} and (${left})`;
  return { table: name, columns: columns.map(([column]) => column), text };
}

/** Returns the statement that counts the rows of cases ($1) and runs ($2) with content, as `column` and `rows`. */
export function counting(name: string, table: ErasureRule, classes: readonly ErasableClass[]): string | null {
  const columns = wanted(table, classes);
  if (table.scope === 'rule' || columns.length === 0) return null;
  const scope = SCOPES[table.scope].replace('= $1::uuid', '= any($1::uuid[])');
  const counts = columns.map(([column, by]) => `'${column}', count(*) filter (where ${has(column, by)})`);
  const only = table.only === undefined ? '' : ` and ${table.only}`;
  return `with given as (select $1::uuid[], $2::uuid[])
    select json_build_object(${counts.join(', ')}) as counts from ${name} t where ${scope}${only}`;
}
