import { cachedFor, CasefileError, withTimeout } from '@casefile/contracts';
import type { Database, Statement } from '../database.js';

/** Maximum age in ms of the last write's result. Many callers ask, and each write costs a commit. */
const MAX_WRITE_AGE_MS = 5_000;

const sql = (text: string): Statement => ({ text, params: [] });
/**
 * The row tests whether writes are allowed and whether the log can be flushed. Its update fits into its own
 * page even on a full disk. The temporary table, emptied at each commit, needs a new page each time and
 * therefore tests for space.
 */
const WRITES = [
  sql('insert into write_probe (at) values (now()) on conflict (id) do update set at = excluded.at'),
  sql('create temp table if not exists casefile_space (page text) on commit delete rows'),
  sql(`insert into casefile_space values ('')`),
];

/** Tests whether the database responds and accepts writes. Both functions throw if not; see `CaseStore`. */
export function postgresProbes(database: Database) {
  // Sent together: a process that is stopped in between must not hold the row that others write.
  const write = cachedFor(MAX_WRITE_AGE_MS, () => database.batch(WRITES, null));
  return {
    ping: (timeoutMs: number): Promise<void> => within(timeoutMs, database.rows('select 1')),
    proveWrites: (timeoutMs: number): Promise<void> => within(timeoutMs, write()),
  };
}

/** @throws CasefileError `store_unreachable` if the result takes longer. */
async function within(timeoutMs: number, answer: Promise<unknown>): Promise<void> {
  const text = `The database did not answer within ${timeoutMs} ms.`;
  const whenOver = () => new CasefileError('store_unreachable', text, { retryable: true });
  await withTimeout(timeoutMs, new AbortController().signal, () => answer, { whenOver });
}

/**
 * Maximum age of a count in ms: back-pressure asks at every alert, and counting a long backlog takes a while.
 */
const MAX_AGE_MS = 1_000;

const COUNT_DUE = `select count(*)::int as n from runs where status = 'due'`;

/** Returns the number of unfinished runs, counted at most once a second. */
export function backlogOf(database: Database): () => Promise<number> {
  return cachedFor(MAX_AGE_MS, async () => {
    const [row] = await database.rows<{ n: number }>(COUNT_DUE);
    return row?.n ?? 0;
  });
}
