import { InvalidInput, type Logger } from '@casefile/contracts';
import { openPostgresStore } from './postgres-store.js';
import { POSTGRES_POOL_SIZE } from './queue-options.js';
import type { QueueStore } from './queue-store.js';
import { isRedisUrl, REDIS_FORMS } from './redis-address.js';
import type { RedisTls } from './redis-clients.js';
import { openRedisStore } from './redis-store.js';

export interface QueueStoreOptions {
  log: Logger;
  /** Concurrent queries on Postgres. One additional connection listens. */
  poolSize?: number;
  /** Prefix of every key on Redis. Default: `bull`. */
  prefix?: string;
  /** Certificates for `rediss`. */
  tls?: RedisTls;
  /** Id of the installation's record, so that two installations do not share keys. Default: not known. */
  owner?: string | null;
}

/**
 * Opens the queue store of `QUEUE_URL`: a Redis (see `readRedisAddress`), `postgres://` or `postgresql://`. Redis
 * may be unavailable and is waited for. Postgres must be available, and its schema is prepared here.
 * @throws InvalidInput for another URL, or a prefix without Redis; CasefileError `queue_unavailable`.
 */
export async function connectQueueStore(queueUrl: string, options: QueueStoreOptions): Promise<QueueStore> {
  const { log, poolSize = POSTGRES_POOL_SIZE, prefix } = options;
  if (isRedisUrl(queueUrl)) return openRedisStore(queueUrl, options);
  if (!/^postgres(ql)?:\/\//.test(queueUrl))
    throw refused('QUEUE_URL', `expected ${REDIS_FORMS}, or postgres://...`);
  if (prefix !== undefined)
    throw refused('QUEUE_PREFIX', 'expected a QUEUE_URL of a Redis, or no prefix: a database has one queue');
  return openPostgresStore(queueUrl, log, poolSize);
}

const refused = (path: string, message: string): InvalidInput =>
  new InvalidInput([{ path, message }], 'queue address');
