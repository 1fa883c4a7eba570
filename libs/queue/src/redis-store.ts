import type { Logger } from '@casefile/contracts';
import { Socket } from 'node:net';
import { createRedisBackend } from 'bullmq';
import { Redis, type RedisOptions } from 'ioredis';
import { REDIS_CONNECT_TIMEOUT_MS, redisRetryDelay } from './queue-options.js';
import type { QueueStore } from './queue-store.js';
import { throttledErrors } from './throttled-errors.js';

/** BullMQ's own; charts that scale by backlog read `bull:<queue>:wait`. */
const PREFIX = 'bull';

/**
 * Writes to its socket once for all commands of a turn of the event loop: each write is a call into the kernel, here and
 * where Redis reads it.
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
 * Knows its duplicates: each worker makes one to block on, and BullMQ lets go of it only when Redis
 * answers. In an outage it would go on reconnecting, and the process would not end.
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
 * Opens Redis: one connection of the process for its queues and one for its workers, so that a long
 * answer to the one does not hold up the other. Each worker adds one that blocks.
 */
export function openRedisStore(url: string, log: Logger, prefix: string = PREFIX): QueueStore {
  const options = {
    retryStrategy: redisRetryDelay,
    connectTimeout: REDIS_CONNECT_TIMEOUT_MS,
    keepAlive: 10_000,
    // A limit would also end BullMQ's own first question, and with it the queue for good.
    maxRetriesPerRequest: null,
  };
  const sending = new GatheringRedis(url, options);
  const working = new FamilyRedis(url, { ...options, lazyConnect: true });
  let away = false;
  sending.on('close', () => (away = true));
  sending.on('ready', () => (away = false));
  const report = throttledErrors(log, 'redis');
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
    isAway: () => away,
    probe: async () => void (await sending.ping()),
    close: async () => {
      sending.disconnect();
      working.disconnectAll();
    },
  };
}
