import { cachedFor, CasefileError, withTimeout } from '@casefile/contracts';
import type { Database, Statement } from '../database.js';

/** Maximum age in ms of a cached write probe. Many callers ask, and each probe costs a commit. */
const MAX_WRITE_AGE_MS = 5_000;

const sql = (text: string): Statement => ({ text, params: [] });
/**
 * The row tests whether writes are allowed and whether the log can be flushed. Its update fits into its page
 * even on a full disk. The temporary table is emptied at each commit and needs a new page each time, so it
 * tests for disk space.
 */
const WRITES = [
  sql('insert into write_probe (at) values (now()) on conflict (id) do update set at = excluded.at'),
  sql('create temp table if not exists casefile_space (page text) on commit delete rows'),
  sql(`insert into casefile_space values ('')`),
];

/** The migrations draw a random id for each that they apply, so that of the first is the record's own. */
const RECORD_ID = 'select id from _prisma_migrations order by started_at, migration_name limit 1';

/** Tests whether the database responds and accepts writes. Both probes throw if not; see `CaseStore`. */
export function postgresProbes(database: Database) {
  // Sent together, because a process that stops between the two would keep the row locked for other probes.
  const write = cachedFor(MAX_WRITE_AGE_MS, () => database.batch(WRITES, null));
  return {
    ping: (timeoutMs: number): Promise<void> => within(timeoutMs, database.rows('select 1')),
    recordId: async (): Promise<string | null> => {
      const [row] = await database.rows<{ id: string }>(RECORD_ID);
      return row?.id ?? null;
    },
    proveWrites: (timeoutMs: number): Promise<void> => within(timeoutMs, write()),
  };
}

/** Waits for `answer` up to `timeoutMs`. @throws CasefileError `store_unreachable` if it takes longer. */
async function within(timeoutMs: number, answer: Promise<unknown>): Promise<void> {
  const text = `The database did not answer within ${timeoutMs} ms.`;
  const whenOver = () => new CasefileError('store_unreachable', text, { retryable: true });
  await withTimeout(timeoutMs, new AbortController().signal, () => answer, { whenOver });
}

/** Maximum age of a count in ms, because back-pressure asks at every alert. */
const MAX_AGE_MS = 1_000;
/** A count is kept at least this many times as long as it took: with a million runs it takes 0.1 to 0.5 s. */
const KEPT_TIMES = 20;

const COUNT_DUE = `select count(*)::int as n from runs where status = 'due'`;

/** Returns the number of unfinished runs, counted at most once a second and for about 5 % of the time. */
export function backlogOf(database: Database): () => Promise<number> {
  const count = async (): Promise<number> => {
    const [row] = await database.rows<{ n: number }>(COUNT_DUE);
    return row?.n ?? 0;
  };
  return cachedFor(MAX_AGE_MS, count, { callTimes: KEPT_TIMES });
}
