import { InvalidInput, type Logger } from '@casefile/contracts';
import { openPostgresStore } from './postgres-store.js';
import { POSTGRES_POOL_SIZE } from './queue-options.js';
import type { QueueStore } from './queue-store.js';
import { openRedisStore } from './redis-store.js';

export interface QueueStoreOptions {
  log: Logger;
  /** Concurrent queries on Postgres. One additional connection listens. */
  poolSize?: number;
  /** Prefix of every key on Redis. Default: `bull`. */
  prefix?: string;
}

/**
 * Opens the queue store of `QUEUE_URL`: `redis://`, `rediss://`, `postgres://` or `postgresql://`. Redis may
 * be unavailable and is waited for. Postgres must be available, and its schema is prepared here.
 * @throws InvalidInput for another URL; CasefileError `queue_unavailable`.
 */
export async function connectQueueStore(queueUrl: string, options: QueueStoreOptions): Promise<QueueStore> {
  const protocol = urlProtocol(queueUrl);
  const { log, poolSize = POSTGRES_POOL_SIZE, prefix } = options;
  if (isOnRedis(queueUrl)) return openRedisStore(queueUrl, log, prefix);
  if (protocol === 'postgres:' || protocol === 'postgresql:')
    return openPostgresStore(queueUrl, log, poolSize);
  throw new InvalidInput(
    [{ path: 'QUEUE_URL', message: 'expected redis://... or postgres://...' }],
    'queue address',
  );
}

/** Returns whether this URL of a queue store names a Redis. */
function isOnRedis(queueUrl: string): boolean {
  return ['redis:', 'rediss:'].includes(urlProtocol(queueUrl));
}

function urlProtocol(url: string): string {
  return URL.canParse(url) ? new URL(url).protocol : '';
}
