import { createRedisBackend, type IQueueBackend } from 'bullmq';
import type { RedisClient } from './redis-clients.js';
import { NOTED_FOR_MS, WORKER_OPTIONS } from './queue-options.js';
import type { StalledJobs } from './queue-store.js';

/** Returns the search for jobs of dead workers on Redis. The notes are in one sorted set, by the time of the note. */
export function redisStalledJobs(
  connection: RedisClient,
  prefix: string,
  report: (error: Error) => void,
): StalledJobs {
  const key = `${prefix}:busy`;
  const backends = new Map<string, IQueueBackend>();
  const backendOf = (queue: string): IQueueBackend => {
    const known = backends.get(queue);
    if (known !== undefined) return known;
    const { maxStalledCount } = WORKER_OPTIONS;
    // The script has a lock of its own for one interval. Here only one process calls it.
    const options = { connection, prefix, maxStalledCount, stalledInterval: 1 };
    const backend = createRedisBackend(queue, options);
    // Without a listener, an outage would end the process.
    backend.on('error', report);
    backends.set(queue, backend);
    return backend;
  };
  let askedAt = -Infinity;
  return {
    isTurn: async (everyMs) => {
      // Several services of one process share this store. A claim of the whole interval would end just after the next
      // pass, which would then be left out.
      const now = performance.now();
      if (now - askedAt < everyMs / 2) return false;
      askedAt = now;
      return (
        (await connection.set(`${prefix}:claim:stalled`, '', 'PX', Math.ceil(everyMs / 2), 'NX')) === 'OK'
      );
    },
    note: async (queues) => {
      const now = Date.now();
      await connection.zadd(key, ...queues.flatMap((queue) => [now, queue]));
    },
    noted: () => connection.zrangebyscore(key, Date.now() - NOTED_FOR_MS, '+inf'),
    free: (queue) => backendOf(queue).moveStalledJobsToWait(),
  };
}
