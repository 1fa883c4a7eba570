import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { silentLogger } from '@casefile/contracts';
import { temporaryFolder } from '@casefile/contracts/testing';
import { createDatabaseIfMissing, startEmbeddedPostgres } from '@casefile/embedded';
import { startRedis } from '@casefile/embedded/testing';
import { EngineCounters, type IdleCounts } from '@casefile/e2e/testing/idle-counts';
import { fiveServices } from '@casefile/e2e/testing/five-services';
import { openDatabase, type ServiceName } from '@casefile/runtime';
import { Redis } from 'ioredis';
import pg from 'pg';

/** Time after the start in which processes still do what they do once. Milliseconds. */
const SETTLES_MS = 15_000;

export interface IdleFigures extends IdleCounts {
  /** Statements of Postgres per second. */
  statements: number;
  /** Statements per second by text, most frequent first. */
  byStatement: [text: string, perSecond: number][];
  /** Commands per second by name, client (`script` or `client`) and key, most frequent first. */
  byKey: [what: string, perSecond: number][];
}

/**
 * Starts services on a Redis and a Postgres of their own, gives them nothing to do, and counts what they ask.
 * @param services As in `fiveServices`.
 */
export async function measureIdle(
  services: readonly ServiceName[] | 'one process',
  seconds: number,
): Promise<IdleFigures> {
  const dir = temporaryFolder('idle');
  const options = { dataDir: join(dir, 'postgres'), log: silentLogger };
  const preparing = await startEmbeddedPostgres(options);
  await run(preparing.url('postgres'), `alter system set shared_preload_libraries = 'pg_stat_statements'`);
  await preparing.stop();
  const postgres = await startEmbeddedPostgres(options);
  const redis = await startRedis({ dir: join(dir, 'redis') });
  try {
    await createDatabaseIfMissing(postgres.url('postgres'), 'idle');
    const { url } = await openDatabase({ databaseUrl: postgres.url('idle'), dataDir: dir }, silentLogger);
    await run(url, 'create extension if not exists pg_stat_statements');
    const running = await fiveServices({ databaseUrl: url, queueUrl: redis.url, services });
    const counters = await EngineCounters.open(redis.url, url);
    try {
      await running.start();
      await sleep(SETTLES_MS);
      await run(url, 'select pg_stat_statements_reset()');
      const counts = await counters.during(() => sleep(seconds * 1000));
      const byStatement = await statements(url, counts.seconds);
      const byKey = await monitored(redis.url, seconds);
      const sum = byStatement.reduce((all, [, calls]) => all + calls, 0);
      return { ...counts, statements: sum, byStatement, byKey };
    } finally {
      await counters.close();
      await running.close();
    }
  } finally {
    await redis.stop();
    await postgres.stop();
  }
}

async function run(connectionString: string, statement: string): Promise<pg.QueryResult> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    return await client.query(statement);
  } finally {
    await client.end();
  }
}

async function statements(url: string, seconds: number): Promise<[string, number][]> {
  const { rows } = (await run(
    url,
    `select regexp_replace(query, '\\s+', ' ', 'g') as text, sum(calls)::float8 as calls from pg_stat_statements
     where dbid = (select oid from pg_database where datname = current_database())
       and query not like '%pg_stat_%' and query !~* '^(begin|commit|rollback)'
     group by 1 order by 2 desc`,
  )) as { rows: { text: string; calls: number }[] };
  return rows.map(({ text, calls }) => [text, calls / seconds]);
}

/** Counts commands by their key, as MONITOR shows them. */
async function monitored(redisUrl: string, seconds: number): Promise<[string, number][]> {
  const client = new Redis(redisUrl);
  const monitor = await client.monitor();
  const counts = new Map<string, number>();
  monitor.on('monitor', (_time: string, args: string[], source: string) => {
    const [name = '', ...rest] = args;
    const key = /^evalsha$/i.test(name) ? rest[2] : rest[0];
    const what = `${source === 'lua' ? 'script' : 'client'} ${name.toLowerCase()} ${key ?? ''}`;
    counts.set(what, (counts.get(what) ?? 0) + 1);
  });
  await sleep(seconds * 1000);
  monitor.disconnect();
  client.disconnect();
  return [...counts]
    .map(([what, calls]): [string, number] => [what, calls / seconds])
    .toSorted(([, a], [, b]) => b - a);
}
