import { createHash, randomUUID } from 'node:crypto';
import pg from 'pg';
import { migrate, readMigrations } from '../migrate.js';

export interface TestDatabase {
  url: string;
  drop(): Promise<void>;
}

/** Any fixed number: of test processes that start at once, one makes the template. */
const TEMPLATE_LOCK = 0x74657374;

/**
 * A fresh, migrated database on the server named by CASEFILE_TEST_POSTGRES: a copy of a template that is made once
 * for each state of the migrations.
 * @param serverUrl A database of that server, as a user who may create databases.
 * @param filled A database of that server to copy instead, that nobody is connected to.
 */
export async function testDatabase(
  serverUrl = process.env['CASEFILE_TEST_POSTGRES'],
  filled?: TestDatabase,
): Promise<TestDatabase> {
  if (serverUrl === undefined)
    throw new Error('CASEFILE_TEST_POSTGRES is not set: run the tests by `npm test`');
  const name = `casefile_test_${randomUUID().replaceAll('-', '')}`;
  await withServer(serverUrl, async (server) => {
    const template = filled === undefined ? await makeTemplate(server, serverUrl) : nameIn(filled.url);
    // Copying the files of so small a database costs a third of writing them to the log.
    await server.query(`create database ${name} template ${template} strategy file_copy`);
  });
  const drop = (): Promise<void> =>
    withServer(
      serverUrl,
      async (server) => void (await server.query(`drop database if exists ${name} with (force)`)),
    );
  return { url: onDatabase(serverUrl, name), drop };
}

const nameIn = (url: string): string => new URL(url).pathname.slice(1);

async function makeTemplate(server: pg.Client, serverUrl: string): Promise<string> {
  const checksums = (await readMigrations()).map((migration) => migration.checksum);
  const name = `casefile_template_${createHash('sha256').update(checksums.join()).digest('hex').slice(0, 16)}`;
  await server.query('select pg_advisory_lock($1)', [TEMPLATE_LOCK]);
  const there = await server.query('select from pg_database where datname = $1 and datistemplate', [name]);
  if (there.rowCount === 0) {
    // One that is there but not marked was left by a process that died while it made it.
    await server.query(`drop database if exists ${name} with (force)`);
    await server.query(`create database ${name}`);
    await migrate(onDatabase(serverUrl, name));
    await server.query(`alter database ${name} with is_template true`);
  }
  await server.query('select pg_advisory_unlock($1)', [TEMPLATE_LOCK]);
  return name;
}

async function withServer<T>(serverUrl: string, work: (server: pg.Client) => Promise<T>): Promise<T> {
  const server = new pg.Client({ connectionString: serverUrl });
  await server.connect();
  try {
    return await work(server);
  } finally {
    await server.end();
  }
}

/** The same server and rights, another database. Parameters (`?host=/folder`) stay. */
export function onDatabase(databaseUrl: string, name: string): string {
  return databaseUrl.replace(/^(\w+:\/\/[^/?]*)(\/[^?]*)?/, `$1/${name}`);
}
