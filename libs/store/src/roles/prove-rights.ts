import { CasefileError } from '@casefile/contracts';
import pg from 'pg';
import { TABLES } from '../generated/tables.js';
import { asStoreError } from '../store-errors.js';
import { rightsOf } from './rights.js';

const LACKING = `
  select current_user as role, n.wanted as "right", n.name
  from json_to_recordset($1::json) as n(kind text, name text, wanted text)
  where not case n.kind when 'table' then has_table_privilege(n.name, n.wanted)
    else has_function_privilege(n.name, n.wanted) end
  order by n.name, n.wanted`;

/** Number of missing rights that a message names. */
const NAMED = 5;

/**
 * Proves that the user of the database has all rights that these services need, before they accept work.
 * @throws CasefileError `store_error` that names the missing rights and the remedy; `store_unreachable`.
 */
export async function proveRights(databaseUrl: string, services: readonly string[]): Promise<void> {
  const { tables, functions } = rightsOf(services);
  const needed = [
    ...Object.keys(TABLES).map((name) => ({ kind: 'table', name, wanted: 'select' })),
    ...[...tables].flatMap(([name, rights]) =>
      [...rights].map((wanted) => ({ kind: 'table', name, wanted })),
    ),
    ...functions.map((name) => ({ kind: 'function', name, wanted: 'execute' })),
  ];
  const client = new pg.Client({ connectionString: databaseUrl, application_name: 'casefile-start' });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ role: string; right: string; name: string }>(LACKING, [
      JSON.stringify(needed),
    ]);
    if (rows.length > 0) throw lacksRights(rows, services);
  } catch (error) {
    throw asStoreError(error);
  } finally {
    await client.end();
  }
}

function lacksRights(
  rows: readonly { role: string; right: string; name: string }[],
  services: readonly string[],
): CasefileError {
  const named = rows.slice(0, NAMED).map(({ right, name }) => `${right} on ${name}`);
  const more = rows.length > NAMED ? ` and ${rows.length - NAMED} more` : '';
  const message = `The database user "${rows[0]?.role}" lacks rights that ${services.join(', ')} needs: ${named.join(', ')}${more}. Run the output of \`casefile database roles\` in the database, after \`casefile migrate\`, and use the role of the service in DATABASE_URL.`;
  return new CasefileError('store_error', message);
}
