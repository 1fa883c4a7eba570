import { randomUUID } from 'node:crypto';
import { run } from '@casefile/cli/program';
import { memoryTerminal } from '@casefile/cli/testing/memory-terminal';
import { silentLogger } from '@casefile/contracts';
import { connectQueueStore } from '@casefile/queue';
import { migrate } from '@casefile/store';
import { testDatabase } from '@casefile/store/testing';
import pg from 'pg';

const PASSWORD = 'a-password';

/** A database whose tables belong to one role, and in which each service has a role of its own. */
export interface DatabaseWithRoles {
  /** URL of the superuser of the server. */
  url: string;
  /** Returns the URL of the role of a service, or of `owner`. */
  urlOf(role: string): string;
  /** Runs the output of `casefile database roles` as an administrator that is no superuser. */
  grantRoles(): Promise<void>;
  drop(): Promise<void>;
}

/** Creates an empty database with roles as documented, and migrates it as the owner. */
export async function databaseWithRoles(
  isWanted: (migration: string) => boolean = () => true,
): Promise<DatabaseWithRoles> {
  const { url, drop } = await testDatabase();
  const prefix = `r${randomUUID().replaceAll('-', '').slice(0, 12)}`;
  const as = (role: string): string => {
    const named = new URL(url);
    [named.username, named.password] = [role, PASSWORD];
    return named.href;
  };
  const urlOf = (role: string): string => as(`${prefix}_${role.replaceAll('-', '_')}`);
  const administrator = `${prefix}_administrator`;
  const name = decodeURIComponent(new URL(url).pathname.slice(1));
  await execute(
    url,
    `drop schema public cascade; create schema public; drop schema calls_by_month cascade;
     create role ${administrator} login createrole password '${PASSWORD}';
     alter database ${name} owner to ${administrator}; alter schema public owner to ${administrator}`,
  );
  const grantRoles = async (): Promise<void> => {
    const terminal = memoryTerminal();
    await run(['database', 'roles', '--prefix', prefix], terminal);
    await execute(as(administrator), terminal.lines.join('\n'));
  };
  await grantRoles();
  const { rows: roles } = await execute(
    url,
    `select rolname as name from pg_roles where rolname like '${prefix}\\_%'`,
  );
  for (const { name: role } of roles) await execute(url, `alter role ${role} password '${PASSWORD}'`);
  await migrate(urlOf('owner'), isWanted);
  await grantRoles();
  return {
    url,
    urlOf,
    grantRoles,
    drop: async () => {
      const names = roles.map((role) => role.name).join(', ');
      await execute(url, `drop owned by ${names} cascade`);
      await drop();
    },
  };
}

/** A database with roles of this worker's server, which has the tables of the queue too, and is copied. */
let template: { readonly server: string | undefined; readonly made: Promise<DatabaseWithRoles> } | null =
  null;

/**
 * Returns a new database as `systemDatabase` does, whose tables belong to an owner, and in which each service has a
 * role. A copy keeps owners and rights. Services take `queueUrl` as the superuser.
 */
export async function systemDatabaseWithRoles(): Promise<Pick<DatabaseWithRoles, 'url' | 'urlOf' | 'drop'>> {
  const server = process.env['CASEFILE_TEST_POSTGRES'];
  if (template?.server !== server) template = { server, made: makeTemplate() };
  const filled = await template!.made;
  const { url, drop } = await testDatabase(undefined, filled);
  const urlOf = (role: string): string => {
    const named = new URL(filled.urlOf(role));
    named.pathname = new URL(url).pathname;
    return named.href;
  };
  return { url, urlOf, drop };
}

async function makeTemplate(): Promise<DatabaseWithRoles> {
  const database = await databaseWithRoles();
  const queue = await connectQueueStore(database.url, { log: silentLogger });
  await queue.close();
  return database;
}

/** Runs statements on a connection of their own. */
export async function execute(url: string, text: string): Promise<pg.QueryResult<{ name: string }>> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await client.query<{ name: string }>(text);
  } finally {
    await client.end();
  }
}
