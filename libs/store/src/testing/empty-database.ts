import { keptClient } from './kept-client.js';

/** Deletes all rows, so that the next test finds an empty record. Faster than a new database. */
export async function emptyDatabase(databaseUrl: string): Promise<void> {
  const client = await keptClient(databaseUrl);
  // Cases are deleted last, because alerts and runs refer to them.
  const { rows: tables } = await client.query<{ name: string }>({
    name: 'tables',
    text: `select format('%I', tablename) as name from pg_tables
           where schemaname = 'public' and tablename <> '_prisma_migrations'
           order by tablename = 'cases', tablename`,
  });
  const conditions = tables.map(({ name }) => `exists (select from ${name})`);
  const { rows } = await client.query<{ filled: boolean[] }>({
    name: `filled ${tables.length}`,
    text: `select array[${conditions.join(', ')}] as filled`,
  });
  const filled = tables.filter((_, at) => rows[0]?.filled[at]);
  if (filled.length === 0) return;
  const deletes = filled.map(({ name }) => `delete from ${name};`).join('\n');
  // The audit log refuses to delete rows by a trigger.
  await client.query(`begin; set local session_replication_role = replica; ${deletes} commit`);
}
