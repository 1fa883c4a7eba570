import { createHash, randomUUID } from 'node:crypto';
import type pg from 'pg';
import { migrate, readMigrations } from '../migrate.js';
import { closeKept, keptClient } from './kept-client.js';

export interface TestDatabase {
  url: string;
  drop(): Promise<void>;
}

/** An arbitrary lock number: of several test processes that start concurrently, one creates the template. */
const TEMPLATE_LOCK = 0x74657374;

/**
 * Returns a new, migrated database on the server in CASEFILE_TEST_POSTGRES: a copy of a template that is
 * created once per state of the migrations.
 * @param serverUrl A database of that server, with the rights to create databases.
 * @param filled A database of that server to copy instead, without connections.
 */
export async function testDatabase(
  serverUrl = process.env['CASEFILE_TEST_POSTGRES'],
  filled?: TestDatabase,
): Promise<TestDatabase> {
  if (serverUrl === undefined)
    throw new Error('CASEFILE_TEST_POSTGRES is not set: run the tests by `npm test`');
  const name = `casefile_test_${randomUUID().replaceAll('-', '')}`;
  const url = onDatabase(serverUrl, name);
  if (filled !== undefined) await closeKept(filled.url);
  const server = await keptClient(serverUrl);
  const template = filled === undefined ? await templateOn(server, serverUrl) : nameIn(filled.url);
  // For so small a database, copying the files costs a third of writing them to the log.
  await server.query(`create database ${name} template ${template} strategy file_copy`);
  const drop = async (): Promise<void> => {
    await closeKept(url);
    await (await keptClient(serverUrl)).query(`drop database if exists ${name} with (force)`);
  };
  return { url, drop };
}

const nameIn = (url: string): string => new URL(url).pathname.slice(1);

/** Templates by month and server. The lock is one of a connection, which all callers of this process share. */
const templates = new Map<string, Promise<string>>();

/** The migrations divide a table into the months around the current one, so each month has a template of its own. */
const currentMonth = () => new Date().toISOString().slice(0, 'YYYY-MM'.length);

function templateOn(server: pg.Client, serverUrl: string): Promise<string> {
  const key = `${currentMonth()} ${serverUrl}`;
  const made = templates.get(key) ?? makeTemplate(server, serverUrl);
  templates.set(key, made);
  return made;
}

async function makeTemplate(server: pg.Client, serverUrl: string): Promise<string> {
  const checksums = (await readMigrations()).map((migration) => migration.checksum);
  const name = `casefile_template_${createHash('sha256')
    .update([...checksums, currentMonth()].join())
    .digest('hex')
    .slice(0, 16)}`;
  await server.query('select pg_advisory_lock($1)', [TEMPLATE_LOCK]);
  const there = await server.query('select from pg_database where datname = $1 and datistemplate', [name]);
  if (there.rowCount === 0) {
    // An unmarked template was left by a process that died while creating it.
    await server.query(`drop database if exists ${name} with (force)`);
    await server.query(`create database ${name}`);
    await migrate(onDatabase(serverUrl, name));
    await server.query(`alter database ${name} with is_template true`);
  }
  await server.query('select pg_advisory_unlock($1)', [TEMPLATE_LOCK]);
  return name;
}

/**
 * Returns the URL of another database with the same server and rights. Parameters (`?host=/folder`) are kept.
 */
export function onDatabase(databaseUrl: string, name: string): string {
  return databaseUrl.replace(/^(\w+:\/\/[^/?]*)(\/[^?]*)?/, `$1/${name}`);
}
