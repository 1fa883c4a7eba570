import { Redis } from 'ioredis';
import pg from 'pg';

const DEADLOCK = '40P01';

/**
 * Empties a queue store, as a lost disk or a wrong command does. On Redis, empties the database of the URL.
 */
export async function emptyQueue(queueUrl: string): Promise<void> {
  if (queueUrl.startsWith('redis')) return emptyRedis(queueUrl);
  const client = new pg.Client({ connectionString: queueUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ tables: string }>(
      `select string_agg(format('bullmq.%I', tablename), ', ') as tables from pg_tables
       where schemaname = 'bullmq' and tablename <> 'migration'`,
    );
    await truncate(client, `truncate ${rows[0]?.tables}`);
  } finally {
    await client.end();
  }
}

/**
 * Locks all tables while workers lock them in another order. Retries if a deadlock aborts the transaction.
 */
async function truncate(client: pg.Client, statement: string): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      await client.query(statement);
      return;
    } catch (error) {
      if (!(error instanceof pg.DatabaseError) || error.code !== DEADLOCK || tries === 10) throw error;
    }
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
