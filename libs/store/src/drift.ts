import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { onDatabase } from './database-url.js';
import { migrate } from './migrate.js';
import { readSchema } from './migrations.js';
import { NO_FILTER, withSchemaEngine } from './schema-engine.js';

/**
 * Replays every migration in a scratch database and compares what came out with the schema file.
 * @param serverUrl A database on a server where scratch databases may be made.
 * @param adapt Changes the schema before it is compared: for the proof that a difference is found.
 * @returns The SQL that would lead from the one to the other; empty when they agree.
 */
export async function findDrift(
  serverUrl: string,
  adapt: (schema: string) => string = (schema) => schema,
): Promise<string> {
  return withScratchDatabase(serverUrl, async (url) => {
    await migrate(url);
    const files = [{ path: 'schema.prisma', content: adapt(await readSchema()) }];
    const script = await withSchemaEngine(url, async (engine) => {
      const { stdout } = await engine.diff({
        from: { tag: 'schemaDatasource', files, configDir: '.' },
        to: { tag: 'schemaDatamodel', files },
        script: true,
        exitCode: null,
        filters: NO_FILTER,
      });
      return stdout ?? '';
    });
    return script.replace(/^-- This is an empty migration\.\s*$/m, '').trim();
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
