import { CasefileError, type CallMonths } from '@casefile/contracts';
import type { Database } from '../database.js';

const ADD = `select add_months_of_calls(now() + interval '3 months') as added`;

const PAST = `
  select name from months_of_calls
  where not is_compact and until_id <= first_run_id_at(date_trunc('month', now(), 'UTC'))`;

const MONTH =
  'select from_id::text as "fromId", until_id::text as "untilId" from months_of_calls where name = $1';

const ERASED = `(x.request ->> 'erased') is not distinct from 'true' and x.state <> 'pending'`;

/** Names are those of the catalog: letters, digits and underscores. */
const table = (name: string): string => `calls_by_month.${name}`;
const copyOf = (name: string): string => `${name}_compact`;

const newestErased = (month: string): string => `
  select ${ERASED} as erased from ${table(month)} x order by x.run_id desc limit 1`;

const columnsOf = (name: string): string => `
  (select array_agg(attname order by attnum) from pg_attribute
    where attrelid = to_regclass('${name}') and attnum > 0 and not attisdropped)`;
// A copy that began before a migration added a column lacks it.
const isUsable = (copy: string): string =>
  `select ${columnsOf(table(copy))} = ${columnsOf('llm_interactions')} as usable`;
// The copy needs all indexes of the whole table before it is attached, or they are built while the table is locked.
const begin = (copy: string, { fromId, untilId }: Bounds): string[] => [
  `drop table if exists ${table(copy)}`,
  `select new_month_of_calls('${copy}', ${fromId === null ? 'null' : `'${fromId}'`}, '${untilId}', 100)`,
  `create unique index on ${table(copy)} (run_id, unit, stage, round, step, attempt, tool_call_id) nulls not distinct`,
  `create index on ${table(copy)} using brin (created_at) with (autosummarize = on)`,
];

const copyNext = (month: string): string => `
  with last as (select run_id, id from ${table(copyOf(month))} order by run_id desc, id desc limit 1),
  next as materialized (
    select x.* from ${table(month)} x
    where (x.run_id, x.id) > (coalesce((select run_id from last), '${LOWEST}'), coalesce((select id from last), '${LOWEST}'))
    order by x.run_id, x.id limit $1),
  kept as (select from next x where not (${ERASED}) limit 1),
  copied as (
    insert into ${table(copyOf(month))} select * from next where not exists (select from kept)
    on conflict do nothing)
  select (select count(*)::int from next) as n, exists (select from kept) as "isKept"`;
const LOWEST = '00000000-0000-0000-0000-000000000000';

/** Longest wait for the lock in ms: statements that need the table wait behind it. */
const LOCK_MS = 500;
const LOCK_NOT_AVAILABLE = '55P03';
const sizes = (month: string): string => `
  select pg_total_relation_size('${table(month)}')::float8 as "bytesBefore",
    pg_total_relation_size('${table(copyOf(month))}')::float8 as "bytesAfter"`;
// The constraint of the copy proves its bounds, so that it is not read while it is attached.
const swap = (month: string, { fromId, untilId }: Bounds): string[] => [
  `set local lock_timeout = ${LOCK_MS}`,
  `drop table ${table(month)}`,
  `alter table ${table(copyOf(month))} rename to ${month}`,
  `alter table llm_interactions attach partition ${table(month)}
    for values from (${fromId === null ? 'minvalue' : `'${fromId}'`}) to ('${untilId}')`,
  `alter table ${table(month)} drop constraint month`,
];

interface Bounds {
  fromId: string | null;
  untilId: string;
}

/** Keeps the partitions of `llm_interactions`. */
export function postgresCallMonths(database: Database): CallMonths {
  const one = async <R extends object>(text: string, params: unknown[] = []): Promise<R | null> =>
    (await database.rows<R>(text, params))[0] ?? null;
  const boundsOf = async (month: string): Promise<Bounds> => {
    const bounds = await one<Bounds>(MONTH, [month]);
    if (bounds === null) throw new Error(`there is no month ${month} of model calls`);
    return bounds;
  };
  const inTurn = (statements: string[]): Promise<void> =>
    database.transaction(async (tx) => {
      for (const statement of statements) await tx.rows(statement);
    });
  return {
    addAhead: async () => (await one<{ added: number }>(ADD))?.added ?? 0,
    erased: async () => {
      const months: string[] = [];
      for (const { name } of await database.rows<{ name: string }>(PAST)) {
        const newest = await one<{ erased: boolean }>(newestErased(name));
        if (newest?.erased === true) months.push(name);
      }
      return months;
    },
    copyErased: async (month, limit) => {
      const copy = copyOf(month);
      if ((await one<{ usable: boolean | null }>(isUsable(copy)))?.usable !== true)
        await inTurn(begin(copy, await boundsOf(month)));
      const step = await one<{ n: number; isKept: boolean }>(copyNext(month), [limit]);
      if (step?.isKept === true) return 'kept';
      return step?.n === limit ? 'more' : 'all';
    },
    replace: async (month) => {
      const bounds = await boundsOf(month);
      const size = await one<{ bytesBefore: number; bytesAfter: number }>(sizes(month));
      try {
        await inTurn(swap(month, bounds));
      } catch (error) {
        if (error instanceof CasefileError && error.details?.['sqlState'] === LOCK_NOT_AVAILABLE) return null;
        throw error;
      }
      return size;
    },
  };
}
