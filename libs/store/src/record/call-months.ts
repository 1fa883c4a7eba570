import { CasefileError, type CallMonths } from '@casefile/contracts';
import type { Database, Transaction } from '../database.js';

/** Longest wait for a lock in ms: statements that need the table wait behind it. */
const LOCK_MS = 500;
const LOCK_NOT_AVAILABLE = '55P03';
const BOUND_LOCKS = `select set_config('lock_timeout', '${LOCK_MS}', true)`;
/** One process at a time changes months: an earlier leader may still be at work. */
const ALONE = `select pg_try_advisory_xact_lock(hashtextextended('calls_by_month', 0)) as alone`;

const ADD = `select add_month_of_calls(now() + interval '3 months') as added`;

const PAST = `
  select name from months_of_calls
  where not is_compact and until_id <= first_run_id_at(date_trunc('month', now(), 'UTC'))`;
const BOUNDS =
  'select from_id::text as "fromId", until_id::text as "untilId" from months_of_calls where name = $1';

const ERASED = `(x.request ->> 'erased') is not distinct from 'true' and x.state <> 'pending'`;
const LOWEST = '00000000-0000-0000-0000-000000000000';

/** Names are those of the catalog: letters, digits and underscores. */
const table = (name: string): string => `calls_by_month.${name}`;
const copyOf = (name: string): string => `${name}_compact`;

const newestErased = (month: string): string => `
  select ${ERASED} as erased from ${table(month)} x order by x.run_id desc limit 1`;

const columnsOf = (name: string): string => `
  (select array_agg(attname order by attnum) from pg_attribute
    where attrelid = to_regclass('${name}') and attnum > 0 and not attisdropped)`;
// A copy is of no use if the month was written since it began, if nothing noted that, or if a migration added a
// column meanwhile.
const isUsable = (month: string): string => `
  select ${columnsOf(table(copyOf(month)))} = ${columnsOf('llm_interactions')}
    and exists (select from pg_trigger where tgrelid = to_regclass('${table(month)}') and tgname = 'note_write')
    and not exists (select from calls_by_month.written where month = '${month}') as usable`;
// The copy needs all indexes of the whole table before it is attached, or they are built while the table is locked.
const begin = (month: string, { fromId, untilId }: Bounds): string[] => [
  `drop table if exists ${table(copyOf(month))}`,
  `create or replace trigger note_write before insert or update or delete on ${table(month)}
    for each row execute function calls_by_month.note_write()`,
  `delete from calls_by_month.written where month = '${month}'`,
  `select new_month_of_calls('${copyOf(month)}', ${fromId === null ? 'null' : `'${fromId}'`}, '${untilId}', 100)`,
  `create unique index on ${table(copyOf(month))} (run_id, unit, stage, round, step, attempt, tool_call_id) nulls not distinct`,
  `create index on ${table(copyOf(month))} using brin (created_at) with (autosummarize = on)`,
];

const afterCopied = (month: string): string => `
  last as (select run_id, id from ${table(copyOf(month))} order by run_id desc, id desc limit 1),
  next as materialized (
    select x.* from ${table(month)} x
    where (x.run_id, x.id) > (coalesce((select run_id from last), '${LOWEST}'), coalesce((select id from last), '${LOWEST}'))
    order by x.run_id, x.id limit $1)`;
const copyNext = (month: string): string => `
  with ${afterCopied(month)},
  kept as (select from next x where not (${ERASED}) limit 1),
  copied as (
    insert into ${table(copyOf(month))} select * from next where not exists (select from kept))
  select (select count(*)::int from next) as n, exists (select from kept) as "isKept"`;
const countMissing = (month: string): string =>
  `with ${afterCopied(month)} select count(*)::int as n from next`;

// The whole table and then its partitions, in the order of all other statements, which would else deadlock.
const LOCK_ALL = 'lock table llm_interactions in access exclusive mode';
const sizes = (month: string): string => `
  select pg_total_relation_size('${table(month)}')::float8 as "bytesBefore",
    pg_total_relation_size('${table(copyOf(month))}')::float8 as "bytesAfter"`;
// The constraint of the copy proves its bounds, so that it is not read while it is attached.
const swap = (month: string, { fromId, untilId }: Bounds): string[] => [
  `drop table ${table(month)}`,
  `alter table ${table(copyOf(month))} rename to ${month}`,
  `alter table llm_interactions attach partition ${table(month)}
    for values from (${fromId === null ? 'minvalue' : `'${fromId}'`}) to ('${untilId}')`,
  `alter table ${table(month)} drop constraint month`,
  `comment on table ${table(month)} is 'compact'`,
];

interface Bounds {
  fromId: string | null;
  untilId: string;
}
type Sizes = NonNullable<Awaited<ReturnType<CallMonths['replace']>>>;

/** Keeps the partitions of `llm_interactions`. */
export function postgresCallMonths(database: Database): CallMonths {
  /** Runs a transaction that waits shortly for locks. null: another process is at work, or holds a lock. */
  const alone = async <T>(work: (tx: Transaction) => Promise<T | null>): Promise<T | null> => {
    try {
      return await database.transaction(async (tx) => {
        await tx.rows(BOUND_LOCKS);
        const [row] = await tx.rows<{ alone: boolean }>(ALONE);
        return row?.alone === true ? work(tx) : null;
      });
    } catch (error) {
      if (error instanceof CasefileError && error.details?.['sqlState'] === LOCK_NOT_AVAILABLE) return null;
      throw error;
    }
  };
  return {
    addAhead: async () => {
      const addNext = () => alone(async (tx) => (await tx.rows<{ added: boolean }>(ADD))[0]?.added === true);
      let added = 0;
      while ((await addNext()) === true) added += 1;
      return added;
    },
    erased: async () => {
      const months: string[] = [];
      for (const { name } of await database.rows<{ name: string }>(PAST)) {
        const [newest] = await database.rows<{ erased: boolean }>(newestErased(name));
        if (newest?.erased === true) months.push(name);
      }
      return months;
    },
    copyErased: async (month, limit) => {
      const step = await alone(async (tx) => {
        if (!(await usable(tx, month))) await inTurn(tx, begin(month, await boundsOf(tx, month)));
        const [row] = await tx.rows<{ n: number; isKept: boolean }>(copyNext(month), [limit]);
        return row ?? null;
      });
      if (step === null || step.isKept) return 'kept';
      return step.n === limit ? 'more' : 'all';
    },
    replace: (month) =>
      alone(async (tx) => {
        await tx.rows(LOCK_ALL);
        if (!(await usable(tx, month))) return null;
        const [missing] = await tx.rows<{ n: number }>(countMissing(month), [1]);
        if (missing?.n !== 0) return null;
        const [size] = await tx.rows<Sizes>(sizes(month));
        await inTurn(tx, swap(month, await boundsOf(tx, month)));
        return size ?? null;
      }),
  };
}

async function usable(tx: Transaction, month: string): Promise<boolean> {
  const [row] = await tx.rows<{ usable: boolean | null }>(isUsable(month));
  return row?.usable === true;
}

async function boundsOf(tx: Transaction, month: string): Promise<Bounds> {
  const [bounds] = await tx.rows<Bounds>(BOUNDS, [month]);
  if (bounds === undefined) throw new Error(`there is no month ${month} of model calls`);
  return bounds;
}

async function inTurn(tx: Transaction, statements: string[]): Promise<void> {
  for (const statement of statements) await tx.rows(statement);
}
