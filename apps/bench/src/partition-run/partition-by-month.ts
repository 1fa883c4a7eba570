import type pg from 'pg';

/** Schema of the partitions, so that lists of tables show the table alone. */
export const PARTS = 'months';

/** As of the table. */
const FILL_FACTOR = 40;

/** First day of the month `back` months before the current one, as ms since 1970. */
export const monthStart = (back: number, now = new Date()): number =>
  Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back, 1);

/** The smallest UUIDv7 of a time in ms. */
export function firstUuidAt(ms: number): string {
  const hex = ms.toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}

/**
 * Replaces an empty `llm_interactions` by one with a partition per month of the run: `months` of the past, the
 * current one and the next. Run ids are UUIDv7, so that no further column is needed.
 */
export async function partitionByMonth(client: pg.Client, months: number): Promise<void> {
  const { rows } = await client.query<{ definition: string }>(
    `select pg_get_indexdef(indexrelid) as definition from pg_index
     where indrelid = 'llm_interactions'::regclass and not indisprimary`,
  );
  await client.query(`
    create schema ${PARTS};
    alter table llm_interactions rename to llm_interactions_old;
    create table llm_interactions (like llm_interactions_old including defaults including constraints,
      primary key (run_id, id)) partition by range (run_id);
    drop table llm_interactions_old`);
  for (const { definition } of rows) await client.query(definition);
  for (let back = months; back >= -1; back -= 1) {
    const from = back === months ? 'minvalue' : `'${firstUuidAt(monthStart(back))}'`;
    const to = back === -1 ? 'maxvalue' : `'${firstUuidAt(monthStart(back - 1))}'`;
    await client.query(`create table ${PARTS}.calls_${months - back} partition of llm_interactions
      for values from (${from}) to (${to}) with (fillfactor = ${FILL_FACTOR})`);
  }
}
