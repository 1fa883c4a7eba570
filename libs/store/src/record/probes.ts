import { cachedFor, CasefileError, withTimeout } from '@casefile/contracts';
import type { Database, Statement } from '../database.js';

/** How old the outcome of the last write may be, in ms: many ask, and each answer costs a commit. */
const MAX_WRITE_AGE_MS = 5_000;

const sql = (text: string): Statement => ({ text, params: [] });
/**
 * The row shows whether writing is allowed and whether the log can be flushed. It finds room on its own page also on a
 * full disk, so a temporary table that is emptied at the commit takes a new page each time: that wants space.
 */
const WRITES = [
  sql('insert into write_probe (at) values (now()) on conflict (id) do update set at = excluded.at'),
  sql('create temp table if not exists casefile_space (page text) on commit delete rows'),
  sql(`insert into casefile_space values ('')`),
];

/** Does the database answer, and does it take writes? Both throw when not; see `CaseStore`. */
export function postgresProbes(database: Database) {
  // In one go: a process that is stopped in the middle must not hold the row that others write.
  const write = cachedFor(MAX_WRITE_AGE_MS, () => database.batch(WRITES, null));
  return {
    ping: (timeoutMs: number): Promise<void> => within(timeoutMs, database.rows('select 1')),
    proveWrites: (timeoutMs: number): Promise<void> => within(timeoutMs, write()),
  };
}

/** @throws CasefileError `store_unreachable` when the answer takes longer. */
async function within(timeoutMs: number, answer: Promise<unknown>): Promise<void> {
  const text = `The database did not answer within ${timeoutMs} ms.`;
  const whenOver = () => new CasefileError('store_unreachable', text, { retryable: true });
  await withTimeout(timeoutMs, new AbortController().signal, () => answer, { whenOver });
}

/** How old an answer may be, in ms: back-pressure asks at every alert, counting a long backlog takes a while. */
const MAX_AGE_MS = 1_000;

const COUNT_DUE = `select count(*)::int as n from runs where status = 'due'`;

/** Unfinished runs, counted at most once a second however often it is asked. */
export function backlogOf(database: Database): () => Promise<number> {
  return cachedFor(MAX_AGE_MS, async () => {
    const [row] = await database.rows<{ n: number }>(COUNT_DUE);
    return row?.n ?? 0;
  });
}
