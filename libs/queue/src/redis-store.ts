import type { Logger } from '@casefile/contracts';
import { createRedisBackend } from 'bullmq';
import { Redis } from 'ioredis';
import { REDIS_CONNECT_TIMEOUT_MS, REDIS_SEND_RETRIES, redisRetryDelay } from './queue-options.js';
import type { QueueStore } from './queue-store.js';
import { throttledErrors } from './throttled-errors.js';

/** BullMQ's own; charts that scale by backlog read `bull:<queue>:wait`. */
const PREFIX = 'bull';

/**
 * Opens Redis. Queues and workers have a connection each for the process: the workers' waits for an
 * outage to end, the queues' does not, since somebody waits for the answer. Each worker adds one that blocks.
 */
export function openRedisStore(url: string, log: Logger, prefix: string = PREFIX): QueueStore {
  const options = {
    retryStrategy: redisRetryDelay,
    connectTimeout: REDIS_CONNECT_TIMEOUT_MS,
    keepAlive: 10_000,
  };
  const sending = new Redis(url, { ...options, maxRetriesPerRequest: REDIS_SEND_RETRIES });
  const working = new Redis(url, { ...options, maxRetriesPerRequest: null, lazyConnect: true });
  const onError = throttledErrors(log, 'Redis');
  sending.on('error', onError);
  working.on('error', onError);
  return {
    kind: 'redis',
    handle: sending,
    prefix,
    backend: (name, opts, how) => {
      const connection = how?.withBlockingConnection === true ? working : sending;
      return createRedisBackend(name, { ...opts, connection }, how);
    },
    probe: async () => void (await sending.ping()),
    close: async () => {
      sending.disconnect();
      working.disconnect();
    },
  };
}
