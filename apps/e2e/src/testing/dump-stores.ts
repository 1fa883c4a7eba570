import { Redis } from 'ioredis';
import pg from 'pg';

/**
 * Returns every row of every table of a database as text, also of the tables of the queue. Temporary tables belong to
 * one connection and may be gone when they are read.
 */
export async function dumpTables(databaseUrl: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows: tables } = await client.query<{ name: string }>(
      `select format('%I.%I', schemaname, tablename) as name from pg_tables
       where schemaname not in ('pg_catalog', 'information_schema') and schemaname not like 'pg\\_temp%' order by 1`,
    );
    const lines: string[] = [];
    for (const { name } of tables) {
      const { rows } = await client.query<{ line: string }>(`select t::text as line from ${name} t`);
      for (const { line } of rows) lines.push(`${name}: ${line}`);
    }
    return lines;
  } finally {
    await client.end();
  }
}

/** Returns every key of a Redis database with its value as text. */
export async function dumpRedis(url: string): Promise<string[]> {
  const redis = new Redis(url);
  try {
    const lines: string[] = [];
    for (const key of await redis.keys('*'))
      lines.push(`${key}: ${JSON.stringify(await valueOf(redis, key))}`);
    return lines;
  } finally {
    redis.disconnect();
  }
}

async function valueOf(redis: Redis, key: string): Promise<unknown> {
  const type = await redis.type(key);
  if (type === 'string') return redis.get(key);
  if (type === 'hash') return redis.hgetall(key);
  if (type === 'list') return redis.lrange(key, 0, -1);
  if (type === 'set') return redis.smembers(key);
  if (type === 'zset') return redis.zrange(key, '0', '-1');
  if (type === 'stream') return redis.xrange(key, '-', '+');
  // The key expired between the two reads.
  if (type === 'none') return null;
  throw new Error(`${key} has the unknown type ${type}`);
}

/** Returns the lines that contain a word, as text or as the bytes of an image. */
export function linesWith(lines: readonly string[], word: string): string[] {
  const hex = Buffer.from(word).toString('hex');
  const base64 = Buffer.from(word).toString('base64').slice(0, -4);
  return lines.filter((line) => line.includes(word) || line.includes(hex) || line.includes(base64));
}
