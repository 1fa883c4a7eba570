import type { CallMonths } from '@casefile/contracts';
import type pg from 'pg';

/** Schema of the partitions. */
export const PARTS = 'calls_by_month';

/** Replaces an empty `llm_interactions` by one table without partitions, as it was before they were introduced. */
export async function inOneTable(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ definition: string }>(
    `select pg_get_indexdef(indexrelid) as definition from pg_index
     where indrelid = '${PARTS}.others'::regclass`,
  );
  await client.query(`
    create table whole (like llm_interactions including all excluding indexes) with (fillfactor = 40);
    drop table llm_interactions cascade;
    alter table whole rename to llm_interactions`);
  for (const { definition } of rows)
    await client.query(definition.replace(`${PARTS}.others`, 'llm_interactions'));
}

/** Of a record in one table. */
export const NO_MONTHS: CallMonths = {
  addAhead: () => Promise.resolve(0),
  erased: () => Promise.resolve([]),
  copyErased: () => Promise.resolve('kept'),
  replace: () => Promise.resolve(null),
};
