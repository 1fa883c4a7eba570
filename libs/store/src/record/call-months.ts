import { CasefileError, type CallMonths } from '@casefile/contracts';
import type { Database, Transaction } from '../database.js';

/** Longest wait for a lock in ms: statements that need the table wait behind it. */
const LOCK_MS = 500;
const LOCK_NOT_AVAILABLE = '55P03';
const BOUND_LOCKS = `select set_config('lock_timeout', '${LOCK_MS}', true)`;
/** One process at a time changes months: an earlier leader may still be at work. */
const ALONE = `select pg_try_advisory_xact_lock(hashtextextended('calls_by_month', 0)) as alone`;

const ADD = `select add_month_of_calls(now() + interval '3 months') as added`;

const ERASED = 'select name from erased_months_of_calls() name';
const COPY = 'select n, is_kept as "isKept" from copy_erased_calls($1, $2)';
const REPLACE = `
  select bytes_before as "bytesBefore", bytes_after as "bytesAfter" from replace_month_of_calls($1)`;

type Sizes = NonNullable<Awaited<ReturnType<CallMonths['replace']>>>;

/** Keeps the partitions of `llm_interactions` by functions of the database that run as the owner of its tables. */
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
    erased: async () => (await database.rows<{ name: string }>(ERASED)).map(({ name }) => name),
    copyErased: async (month, limit) => {
      const step = await alone(async (tx) => {
        const [row] = await tx.rows<{ n: number; isKept: boolean }>(COPY, [month, limit]);
        return row ?? null;
      });
      if (step === null || step.isKept) return 'kept';
      return step.n === limit ? 'more' : 'all';
    },
    replace: (month) => alone(async (tx) => (await tx.rows<Sizes>(REPLACE, [month]))[0] ?? null),
  };
}
