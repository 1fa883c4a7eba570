import type pg from 'pg';
import { keptClient } from './kept-client.js';

// Times that came with an alert are not the store's own.
const OWN_TIMES = `select table_name as "table", string_agg(format('%1$I = %1$I - $1::float8 * interval ''1 ms''', column_name), ', ') as set
  from information_schema.columns
  where table_schema = 'public' and data_type = 'timestamp with time zone' and table_name <> '_prisma_migrations'
    and column_name not in ('started_at', 'covered_at', 'began_at', 'first_at', 'last_at')
  group by table_name`;

/** SQLSTATE of a statement that Postgres ended because it and another waited for each other. */
const DEADLOCK = '40P01';

/**
 * Lets time pass for a database without waiting: every time on the record moves back by `ms` milliseconds.
 */
export async function passTimeIn(databaseUrl: string, ms: number): Promise<void> {
  const client = await keptClient(databaseUrl);
  const { rows } = await client.query<{ table: string; set: string }>(OWN_TIMES);
  for (const { table, set } of rows) await moveTimes(client, `update "${table}" set ${set}`, ms);
}

/** Work may write the rows of a table in another order at the same time. */
async function moveTimes(client: pg.Client, update: string, ms: number, tries = 5): Promise<void> {
  try {
    await client.query(update, [ms]);
  } catch (error) {
    if ((error as { code?: unknown }).code !== DEADLOCK || tries === 1) throw error;
    await moveTimes(client, update, ms, tries - 1);
  }
}
