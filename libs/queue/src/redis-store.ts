import { messageWithoutValues, type Logger } from '@casefile/contracts';
import { Socket } from 'node:net';
import { createRedisBackend } from 'bullmq';
import { Redis, type RedisOptions } from 'ioredis';
import { REDIS_CONNECT_TIMEOUT_MS, redisRetryDelay } from './queue-options.js';
import type { QueueStore } from './queue-store.js';
import { throttledErrors } from './throttled-errors.js';

/** BullMQ's default prefix. Autoscaling by backlog reads `bull:<queue>:wait`. */
const PREFIX = 'bull';

/**
 * Writes all commands of one turn of the event loop to the socket in one write. Each write costs a system
 * call, here and in Redis.
 */
class GatheringRedis extends Redis {
  private isGathering = false;

  override sendCommand(...given: Parameters<Redis['sendCommand']>): unknown {
    this.gather();
    return super.sendCommand(...given);
  }

  private gather(): void {
    const { stream } = this;
    if (this.isGathering || !(stream instanceof Socket)) return;
    this.isGathering = true;
    stream.cork();
    process.nextTick(() => {
      this.isGathering = false;
      stream.uncork();
    });
  }
}

/**
 * Tracks its duplicates. Each worker duplicates it for blocking calls, and BullMQ releases a duplicate only
 * when Redis answers. In an outage, a duplicate would keep reconnecting, and the process would not end.
 */
class FamilyRedis extends Redis {
  private readonly copies: Redis[] = [];

  override duplicate(override?: Partial<RedisOptions>): Redis {
    const copy = super.duplicate(override);
    this.copies.push(copy);
    return copy;
  }

  disconnectAll(): void {
    for (const client of [this, ...this.copies]) client.disconnect();
  }
}

/**
 * Returns a function that returns why the connection of this client is lost; null: it is not. The first error
 * of an attempt names the cause. After a wrong password, Redis refuses each further command as unauthenticated.
 */
function reasonOfOutage(client: Redis): () => string | null {
  let why: string | null = null;
  let firstError: string | null = null;
  client.on('error', (error) => (firstError ??= messageWithoutValues(error)));
  client.on('close', () => {
    why = firstError ?? why ?? 'the connection is lost';
    firstError = null;
  });
  client.on('ready', () => {
    why = null;
    firstError = null;
  });
  return () => why;
}

/**
 * Opens Redis with one connection for the queues of a process and one for its workers, so that a long answer
 * on one does not delay the other. Each worker adds a blocking connection.
 */
export function openRedisStore(url: string, log: Logger, prefix: string = PREFIX): QueueStore {
  const options = {
    retryStrategy: redisRetryDelay,
    connectTimeout: REDIS_CONNECT_TIMEOUT_MS,
    keepAlive: 10_000,
    // A limit would also fail BullMQ's own first command, and with it the queue permanently.
    maxRetriesPerRequest: null,
  };
  const sending = new GatheringRedis(url, options);
  const working = new FamilyRedis(url, { ...options, lazyConnect: true });
  const report = throttledErrors(log, 'redis');
  const unavailable = reasonOfOutage(sending);
  sending.on('error', report);
  working.on('error', report);
  return {
    kind: 'redis',
    handle: sending,
    report,
    prefix,
    backend: (name, opts, how) => {
      const connection = how?.withBlockingConnection === true ? working : sending;
      return createRedisBackend(name, { ...opts, connection }, how);
    },
    unavailable,
    claim: async (name, forMs) =>
      (await sending.set(`${prefix}:claim:${name}`, '', 'PX', forMs, 'NX')) === 'OK',
    probe: async () => void (await sending.ping()),
    close: async () => {
      sending.disconnect();
      working.disconnectAll();
    },
  };
}
