import { TABLES } from './generated/tables.js';

// Column names in statements, checked against the schema by the compiler.

type Tables = typeof TABLES;
export type Table = keyof Tables;
export type Column<T extends Table> = keyof Tables[T] & string;

/** A type in the notation of `TABLES`: `?` is nullable, `=` has a default. */
export type SqlType = `${Plain}${'' | '?' | '='}`;
type Plain = keyof JsTypes;
export type Columns = Readonly<Record<string, SqlType>>;

/** JavaScript types of the values in JSON. */
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
type UnmarkedType<S> = S extends `${infer P}?` | `${infer P}=` ? P : S;
type Js<S> = UnmarkedType<S> extends Plain ? JsTypes[UnmarkedType<S>] : never;
type MayBeNull<C, K extends keyof C> = C[K] extends `${string}?` ? K : never;

/** The key of a record for a column: `caseId` for `case_id`. */
export type KeyOf<C> = C extends `${infer A}_${infer B}` ? `${A}${Capitalize<KeyOf<B>>}` : C;

/** The object to write for a row of these columns. Nullable columns are optional. */
export type RowOf<C extends Columns> = {
  -readonly [K in keyof C as K extends MayBeNull<C, K> ? never : KeyOf<K>]: Js<C[K]>;
} & { -readonly [K in keyof C as MayBeNull<C, K> extends never ? never : KeyOf<K>]?: Js<C[K]> | null };

type Driver<S> =
  UnmarkedType<S> extends 'timestamptz' ? Date : UnmarkedType<S> extends 'bigint' ? string : Js<S>;
/** Columns of a table as the driver returns them. */
export type RowFrom<T extends Table, C extends Column<T>> = {
  [K in C]: Driver<Tables[T][K]> | (Tables[T][K] extends `${string}?` ? null : never);
};

/** Returns some columns of a table with their types. */
export function tableColumns<T extends Table, const C extends readonly Column<T>[]>(
  table: T,
  ...names: C
): Pick<Tables[T], C[number]> {
  return Object.fromEntries(names.map((name) => [name, TABLES[table][name]])) as Pick<Tables[T], C[number]>;
}

/**
 * Returns a list of columns for `select` or `returning`, such as `u.run_id, u.unit`. Without an alias, the
 * names have no prefix.
 */
export function columnList<T extends Table>(
  _table: T,
  alias: string,
  ...names: readonly Column<T>[]
): string {
  const prefix = alias === '' ? '' : `${alias}.`;
  return inLines(names.map((name) => prefix + quoteName(name)));
}

/** Maps each column to the same column of the row `alias`. Default: to the bare column name. */
export function copyColumns<C extends string>(alias: string, ...columns: readonly C[]): Record<C, string> {
  const prefix = alias === '' ? '' : `${alias}.`;
  const pairs = columns.map((column) => [column, prefix + quoteName(column)]);
  return Object.fromEntries(pairs) as Record<C, string>;
}

type NeededColumns<T extends Table> = {
  [C in Column<T>]: Tables[T][C] extends `${string}${'?' | '='}` ? never : C;
}[Column<T>];
/**
 * Expressions per column: required for columns that are neither nullable nor have a default, optional for the
 * others.
 */
type InsertedColumns<T extends Table> = { [C in NeededColumns<T>]: string } & { [C in Column<T>]?: string };

/** Returns an insert statement up to its `from`: `insert into t (a, b) select x, y`. */
export function insertInto<T extends Table>(table: T, values: InsertedColumns<T>): string {
  const columns = Object.entries<string | undefined>(values).filter(([, value]) => value !== undefined);
  return `insert into ${table} (${inLines(columns.map(([column]) => quoteName(column)))})
    select ${inLines(columns.map(([, value]) => value ?? ''))}`;
}

/** Returns assignments for `update` or `on conflict do update`: `a = x, b = y`. */
export function assignments<T extends Table>(_table: T, values: { [C in Column<T>]?: string }): string {
  const columns = Object.entries<string | undefined>(values).filter(([, value]) => value !== undefined);
  return inLines(columns.map(([column, value]) => `${quoteName(column)} = ${value ?? ''}`));
}

/** Column names that SQL reserves. */
const RESERVED = new Set(['limit', 'window', 'of', 'by', 'end']);
/** Returns a column's name, quoted if SQL reserves it. */
export const quoteName = (name: string): string => (RESERVED.has(name) ? `"${name}"` : name);

const WIDTH = 110;
function inLines(parts: readonly string[]): string {
  let width = 0;
  return parts.reduce((list, part, i) => {
    const wraps = i > 0 && width + part.length > WIDTH;
    width = wraps || i === 0 ? part.length : width + part.length + 2;
    return i === 0 ? part : `${list},${wraps ? '\n      ' : ' '}${part}`;
  }, '');
}
