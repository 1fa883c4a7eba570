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
 * @throws InvalidInput for another URL; CasefileError `queue_unavailable`.
 */
export async function connectQueueStore(queueUrl: string, options: QueueStoreOptions): Promise<QueueStore> {
  const { log, poolSize = POSTGRES_POOL_SIZE } = options;
  if (isRedisUrl(queueUrl)) return openRedisStore(queueUrl, options);
  if (/^postgres(ql)?:\/\//.test(queueUrl)) return openPostgresStore(queueUrl, log, poolSize);
  throw new InvalidInput(
    [{ path: 'QUEUE_URL', message: `expected ${REDIS_FORMS}, or postgres://...` }],
    'queue address',
  );
}
