import { join } from 'node:path';
import { silentLogger } from '@casefile/contracts';
import { temporaryFolder } from '@casefile/contracts/testing';
import { createDatabaseIfMissing, startEmbeddedPostgres } from '@casefile/embedded';
import { startRedis } from '@casefile/embedded/testing';
import { openDatabase } from '@casefile/runtime';
import pg from 'pg';

/** A Redis and a Postgres that count their commands and statements. */
export interface CountedEngines {
  databaseUrl: string;
  redisUrl: string;
  /** Folder of their files. The data folder of Postgres is `postgres` in it. */
  folder: string;
}

/** Runs `work` on private engines whose Postgres has the extension `pg_stat_statements`, and stops them. */
export async function withCountedEngines<T>(work: (engines: CountedEngines) => Promise<T>): Promise<T> {
  const folder = temporaryFolder('counted');
  const options = { dataDir: join(folder, 'postgres'), log: silentLogger };
  const preparing = await startEmbeddedPostgres(options);
  await query(preparing.url('postgres'), `alter system set shared_preload_libraries = 'pg_stat_statements'`);
  await preparing.stop();
  const postgres = await startEmbeddedPostgres(options);
  const redis = await startRedis({ dir: join(folder, 'redis') });
  try {
    await createDatabaseIfMissing(postgres.url('postgres'), 'counted');
    const location = { databaseUrl: postgres.url('counted'), dataDir: folder };
    const { url: databaseUrl } = await openDatabase(location, silentLogger);
    await query(databaseUrl, 'create extension if not exists pg_stat_statements');
    return await work({ databaseUrl, redisUrl: redis.url, folder });
  } finally {
    await redis.stop();
    await postgres.stop();
  }
}

/** Runs one statement on a connection of its own. */
export async function query(connectionString: string, statement: string): Promise<pg.QueryResult> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    return await client.query(statement);
  } finally {
    await client.end();
  }
}

/** Calls of a statement, and the milliseconds that Postgres needed to execute them. */
export interface StatementCount {
  text: string;
  calls: number;
  ms: number;
}

/**
 * Returns the statements of the database since the last reset, most frequent first, without transaction control and
 * the reader's own.
 */
export async function statementCounts(url: string): Promise<StatementCount[]> {
  const { rows } = await query(
    url,
    `select regexp_replace(query, '\\s+', ' ', 'g') as text, sum(calls)::float8 as calls,
       sum(total_exec_time)::float8 as ms
     from pg_stat_statements
     where dbid = (select oid from pg_database where datname = current_database())
       and query not like '%pg_stat_%' and query !~* '^(begin|commit|rollback)'
     group by 1 order by 2 desc`,
  );
  return rows as StatementCount[];
}
