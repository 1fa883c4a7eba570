import pg from 'pg';

/**
 * Sets whether new connections to a database may write, as after a failover to a standby and back.
 * @param ends Whether open connections are ended. Otherwise they keep the state with which they were opened.
 */
export async function allowWrites(
  databaseUrl: string,
  allow: boolean,
  { ends = true }: { ends?: boolean } = {},
): Promise<void> {
  const name = new URL(databaseUrl).pathname.slice(1);
  const server = new pg.Client({ connectionString: process.env['CASEFILE_TEST_POSTGRES'] });
  await server.connect();
  await server.query(`alter database ${name} set default_transaction_read_only = ${allow ? 'off' : 'on'}`);
  if (ends)
    await server.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name]);
  await server.end();
}
