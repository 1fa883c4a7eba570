import pg from 'pg';

/** Deletes all rows, so that the next test finds an empty record. Faster than a new database. */
export async function emptyDatabase(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ name: string }>(
      `select format('%I', tablename) as name from pg_tables
       where schemaname = 'public' and tablename <> '_prisma_migrations'
       order by tablename = 'cases'`,
    );
    // Cases are deleted last, because alerts and runs refer to them.
    // The audit log refuses to delete rows by a trigger.
    await client.query('set session_replication_role = replica');
    await client.query(rows.map((row) => `delete from ${row.name};`).join('\n'));
  } finally {
    await client.end();
  }
}
