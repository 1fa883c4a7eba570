import pg from 'pg';

const NO_FIRST = `
  select until_id::text as "endId" from months_of_calls where name = 'before_months'`;
// Of the month that began `back` months before the current one.
const START = `
  select first_run_id_at((date_trunc('month', now() at time zone 'UTC') - make_interval(months => $1)) at time zone 'UTC')::text as id`;

/**
 * Gives a record without model calls a partition for each of the last `months` months and one for the current one
 * (`m1`, `m2` ..., the oldest first), as if it had been divided by month before.
 */
export async function addPastMonths(databaseUrl: string, months: number): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const [{ endId = '' } = {}] = (await client.query<{ endId: string }>(NO_FIRST)).rows;
    const startOf = async (back: number): Promise<string> =>
      (await client.query<{ id: string }>(START, [back])).rows[0]?.id ?? '';
    await client.query('drop table calls_by_month.before_months');
    for (let i = 1; i <= months + 1; i += 1) {
      const from = i === 1 ? null : await startOf(months + 1 - i);
      const until = i > months ? endId : await startOf(months - i);
      await client.query('select new_month_of_calls($1, $2, $3, 40)', [`m${i}`, from, until]);
      await client.query(`alter table llm_interactions attach partition calls_by_month.m${i}
        for values from (${from === null ? 'minvalue' : `'${from}'`}) to ('${until}')`);
      await client.query(`alter table calls_by_month.m${i} drop constraint month`);
    }
  } finally {
    await client.end();
  }
}
