import { freshFor } from '../fresh-for.js';
import type { Database } from './database.js';

/** How old an answer may be, in ms: back-pressure asks at every alert, counting a long backlog takes a while. */
const MAX_AGE_MS = 1_000;

/** Unfinished runs, counted at most once a second however often it is asked. */
export function backlogOf(database: Database): () => Promise<number> {
  return freshFor(MAX_AGE_MS, () => count(database));
}

async function count(database: Database): Promise<number> {
  const [row] = await database.rows<{ n: number }>(
    `select count(*)::int as n from runs where status = 'due'`,
  );
  return row?.n ?? 0;
}
