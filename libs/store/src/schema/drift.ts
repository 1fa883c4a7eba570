import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { migrate } from '../migrate.js';
import { onDatabase } from '../testing/test-database.js';
import { readSchema, sqlToSchema } from './schema-engine.js';

/**
 * Replays every migration in a scratch database and compares the result with the schema.
 * @param serverUrl A database on a server where scratch databases may be created.
 * @param adapt Changes the schema before the comparison, to prove that a difference is found.
 * @returns The SQL missing from the migrations; '' if they agree with the schema.
 */
export async function findDrift(
  serverUrl: string,
  adapt: (schema: string) => string = (schema) => schema,
): Promise<string> {
  const files = (await readSchema()).map(({ path, content }) => ({ path, content: adapt(content) }));
  return withScratchDatabase(serverUrl, async (url) => {
    await migrate(url);
    return sqlToSchema(url, files);
  });
}

async function withScratchDatabase<T>(serverUrl: string, work: (url: string) => Promise<T>): Promise<T> {
  const name = `casefile_drift_${randomUUID().replaceAll('-', '')}`;
  const server = new pg.Client({ connectionString: serverUrl });
  await server.connect();
  try {
    await server.query(`create database ${name}`);
    return await work(onDatabase(serverUrl, name));
  } finally {
    await server.query(`drop database if exists ${name} with (force)`);
    await server.end();
  }
}
