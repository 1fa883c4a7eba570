import pg from 'pg';

const TABLES: [table: string, of: string, changes: string][] = [
  [
    'cases',
    't.id = $1',
    `'id', m.case_id, 'fingerprint', null, 'leading_run_id', m.run_id, 'newest_run_id', m.run_id, 'created_at', now() + m.n * interval '1 ms'`,
  ],
  ['alerts', 't.case_id = $1', `'id', m.alert_id, 'case_id', m.case_id`],
  ['runs', 't.case_id = $1', `'id', m.run_id, 'case_id', m.case_id, 'alert_id', m.alert_id`],
  ['artifacts', 't.run_id = $2', `'run_id', m.run_id`],
  ['deliveries', 't.run_id = $2', `'run_id', m.run_id, 'id', gen_random_uuid()`],
  ['llm_interactions', 't.run_id = $2', `'run_id', m.run_id, 'id', gen_random_uuid()`],
];

/** Copies a decided case with one run and no tool calls this many times, each with new ids. */
export async function copyCase(
  databaseUrl: string,
  of: { caseId: string; runId: string },
  copies: number,
): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query(
      `create temp table copies as select n, gen_random_uuid() as case_id, gen_random_uuid() as alert_id,
        gen_random_uuid() as run_id from generate_series(1, ${copies}) n`,
    );
    for (const [table, where, changes] of TABLES)
      await client.query(
        `insert into ${table} select (jsonb_populate_record(null::${table}, to_jsonb(t) || jsonb_build_object(${changes}))).*
         from ${table} t cross join copies m where ${where.replace('$1', `'${of.caseId}'`).replace('$2', `'${of.runId}'`)}`,
      );
    await client.query('analyze');
  } finally {
    await client.end();
  }
}
