import { Redis } from 'ioredis';
import pg from 'pg';

/** Empties a queue store, as a lost disk or a wrong command does. On Redis the database of the URL. */
export async function emptyQueue(queueUrl: string): Promise<void> {
  if (queueUrl.startsWith('redis')) return emptyRedis(queueUrl);
  const client = new pg.Client({ connectionString: queueUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ tables: string }>(
      `select string_agg(format('bullmq.%I', tablename), ', ') as tables from pg_tables
       where schemaname = 'bullmq' and tablename <> 'migration'`,
    );
    await client.query(`truncate ${rows[0]?.tables}`);
  } finally {
    await client.end();
  }
}

async function emptyRedis(queueUrl: string): Promise<void> {
  const redis = new Redis(queueUrl);
  try {
    await redis.flushdb();
  } finally {
    redis.disconnect();
  }
}
