import { TABLES } from './generated/tables.js';

// Names of columns in statements, checked against the schema by the compiler.

type Tables = typeof TABLES;
export type Table = keyof Tables;
export type Column<T extends Table> = keyof Tables[T] & string;

/** A type as `TABLES` has it: `?` may be null, `=` has a default. */
export type SqlType = `${Plain}${'' | '?' | '='}`;
type Plain = keyof JsTypes;
export type Columns = Readonly<Record<string, SqlType>>;

/** Values as they travel in JSON. */
interface JsTypes {
  uuid: string;
  text: string;
  int: number;
  bigint: number;
  float8: number;
  real: number;
  boolean: boolean;
  json: unknown;
  jsonb: unknown;
  timestamptz: string;
  bytea: string;
  tsvector: string;
  'text[]': readonly string[];
  'real[]': readonly number[];
}
type Unmarked<S> = S extends `${infer P}?` | `${infer P}=` ? P : S;
type Js<S> = Unmarked<S> extends Plain ? JsTypes[Unmarked<S>] : never;
type MayBeNull<C, K extends keyof C> = C[K] extends `${string}?` ? K : never;

/** `case_id` as `caseId`: a record's key for a column. */
export type KeyOf<C> = C extends `${infer A}_${infer B}` ? `${A}${Capitalize<KeyOf<B>>}` : C;

/** A row of these columns as the object that is written: a column that may be null may be left out. */
export type RowOf<C extends Columns> = {
  -readonly [K in keyof C as K extends MayBeNull<C, K> ? never : KeyOf<K>]: Js<C[K]>;
} & { -readonly [K in keyof C as MayBeNull<C, K> extends never ? never : KeyOf<K>]?: Js<C[K]> | null };

type Driver<S> = Unmarked<S> extends 'timestamptz' ? Date : Unmarked<S> extends 'bigint' ? string : Js<S>;
/** Columns of a table as the driver returns them. */
export type RowFrom<T extends Table, C extends Column<T>> = {
  [K in C]: Driver<Tables[T][K]> | (Tables[T][K] extends `${string}?` ? null : never);
};

/** Some columns of a table, with their types. */
export function columnsOf<T extends Table, const C extends readonly Column<T>[]>(
  table: T,
  ...names: C
): Pick<Tables[T], C[number]> {
  return Object.fromEntries(names.map((name) => [name, TABLES[table][name]])) as Pick<Tables[T], C[number]>;
}

/** `u.run_id, u.unit`: columns of a table in a `select` or `returning`; without an alias, their bare names. */
export function listOf<T extends Table>(_table: T, alias: string, ...names: readonly Column<T>[]): string {
  const prefix = alias === '' ? '' : `${alias}.`;
  return inLines(names.map((name) => prefix + quoted(name)));
}

/** Each of these columns with the column of that name in the row `alias`; without an alias, of the only row there is. */
export function copied<C extends string>(alias: string, ...columns: readonly C[]): Record<C, string> {
  const prefix = alias === '' ? '' : `${alias}.`;
  const pairs = columns.map((column) => [column, prefix + quoted(column)]);
  return Object.fromEntries(pairs) as Record<C, string>;
}

type Needed<T extends Table> = {
  [C in Column<T>]: Tables[T][C] extends `${string}${'?' | '='}` ? never : C;
}[Column<T>];
/** What each column gets, as an expression: all that have neither a default nor null, and any of the others. */
type Inserted<T extends Table> = { [C in Needed<T>]: string } & { [C in Column<T>]?: string };

/** `insert into t (a, b) select x, y`: the statement up to its `from`. */
export function insertInto<T extends Table>(table: T, values: Inserted<T>): string {
  const given = Object.entries<string | undefined>(values).filter(([, value]) => value !== undefined);
  return `insert into ${table} (${inLines(given.map(([column]) => quoted(column)))})
    select ${inLines(given.map(([, value]) => value ?? ''))}`;
}

/** `a = x, b = y`: the assignments of an `update`, or of an `on conflict do update`. */
export function assignments<T extends Table>(_table: T, values: { [C in Column<T>]?: string }): string {
  const given = Object.entries<string | undefined>(values).filter(([, value]) => value !== undefined);
  return inLines(given.map(([column, value]) => `${quoted(column)} = ${value ?? ''}`));
}

/** Names that SQL reserves. */
const RESERVED = new Set(['limit', 'window', 'of', 'by', 'end']);
/** A column's name as a statement has it. */
export const quoted = (name: string): string => (RESERVED.has(name) ? `"${name}"` : name);

const WIDTH = 110;
function inLines(parts: readonly string[]): string {
  let width = 0;
  return parts.reduce((list, part, i) => {
    const wraps = i > 0 && width + part.length > WIDTH;
    width = wraps || i === 0 ? part.length : width + part.length + 2;
    return i === 0 ? part : `${list},${wraps ? '\n      ' : ' '}${part}`;
  }, '');
}
