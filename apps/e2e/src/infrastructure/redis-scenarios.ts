import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { pause, temporaryFolder } from '@casefile/contracts/testing';
import { freePort, startRedis, type RedisOptions } from '@casefile/embedded/testing';
import { Redis } from 'ioredis';
import { emptyQueue } from '../fault-run/empty-queue.js';
import {
  asDocumentedUser,
  startRedisCluster,
  startRedisWithSentinel,
  startRedisWithTls,
} from '../testing/redis-forms.js';
import { installation, judgeAll, refusing } from './judging.js';
import type { Scenario, Site } from './scenario.js';

const OUTAGE_MS = 3_000;

async function ownRedis(site: Site, options: Partial<RedisOptions> = {}) {
  const redis = await startRedis({ dir: join(temporaryFolder('infrastructure'), 'redis'), ...options });
  site.onEnd(() => redis.stop());
  return redis;
}

async function onRedis<T>(url: string, work: (redis: Redis) => Promise<T>): Promise<T> {
  const redis = new Redis(url);
  try {
    return await work(redis);
  } finally {
    redis.disconnect();
  }
}

/** Forms and failures of Redis. */
export const REDIS_SCENARIOS: readonly Scenario[] = [
  {
    name: 'redis-cluster',
    what: 'Redis Cluster of three masters, by `redis+cluster://`',
    refuses: null,
    run: async (site) => {
      const redis = await startRedisCluster();
      site.onEnd(() => redis.stop());
      const outcome = await judgeAll(site, await installation(site, { queueUrl: redis.url }));
      const keys = await Promise.all(
        redis.places.map((place) => onRedis(`redis://${place}`, (node) => node.dbsize())),
      );
      const used = keys.filter((count) => count > 0).length;
      return {
        ...outcome,
        failures: [...outcome.failures, ...(used === 1 ? [] : [`${used} nodes have keys of the queues`])],
      };
    },
  },
  refusing(
    'redis-cluster-node',
    'Redis Cluster, by the plain address of a node',
    /redis\+cluster:\/\//,
    async (site) => {
      const redis = await startRedisCluster();
      site.onEnd(() => redis.stop());
      return installation(site, { queueUrl: `redis://${redis.places[0]}` });
    },
  ),
  {
    name: 'redis-sentinel',
    what: 'Redis with a sentinel; the master is killed and the replica promoted',
    refuses: null,
    run: async (site) => {
      const redis = await startRedisWithSentinel();
      site.onEnd(() => redis.stop());
      return judgeAll(site, await installation(site, { queueUrl: redis.url }), redis.failOver);
    },
  },
  refusing(
    'redis-sentinel-address',
    'Redis, by the plain address of its sentinel',
    /redis\+sentinel:\/\//,
    async (site) => {
      const redis = await startRedisWithSentinel();
      site.onEnd(() => redis.stop());
      return installation(site, { queueUrl: `redis://${redis.places[0]}` });
    },
  ),
  {
    name: 'redis-killed',
    what: 'Redis is killed with -9 and is back after 3 s',
    refuses: null,
    run: async (site) => {
      const redis = await ownRedis(site, { port: await freePort() });
      return judgeAll(site, await installation(site, { queueUrl: redis.url }), async () => {
        await redis.kill9();
        await pause(OUTAGE_MS, 'Redis is unavailable');
        await redis.restart();
      });
    },
  },
  {
    name: 'redis-emptied',
    what: 'Redis is emptied while cases run',
    refuses: null,
    run: async (site) => {
      const redis = await ownRedis(site);
      const fault = () => emptyQueue(redis.url);
      return judgeAll(site, await installation(site, { queueUrl: redis.url }), fault);
    },
  },
  {
    name: 'redis-tls',
    what: 'Redis over TLS with an own authority and a client certificate',
    refuses: null,
    run: async (site) => {
      const redis = await startRedisWithTls();
      site.onEnd(() => redis.stop());
      return judgeAll(site, await installation(site, { queueUrl: redis.url, env: () => redis.env }));
    },
  },
  {
    name: 'redis-user',
    what: 'Redis, as a user with the documented rights',
    refuses: null,
    run: async (site) => {
      const { url } = await ownRedis(site);
      return judgeAll(site, await installation(site, { queueUrl: await asDocumentedUser(url, 'casefile') }));
    },
  },
  refusing(
    'redis-user-without-scripts',
    'Redis, as a user that may not run scripts',
    /may not run EVAL/,
    async (site) => {
      const { url } = await ownRedis(site);
      return installation(site, { queueUrl: await asDocumentedUser(url, 'weak', ['-@scripting']) });
    },
  ),
  refusing(
    'redis-prefix-taken',
    'A second installation on one Redis, under the same prefix',
    /QUEUE_PREFIX/,
    async (site) => {
      const { url } = await ownRedis(site);
      await onRedis(url, (redis) => redis.set('bull:installation', randomUUID()));
      return installation(site, { queueUrl: url });
    },
  ),
  {
    name: 'redis-two-installations',
    what: 'Two installations on one Redis, each under its prefix',
    refuses: null,
    run: async (site) => {
      const { url } = await ownRedis(site);
      const of = (prefix: string) =>
        installation(site, { queueUrl: url, env: () => ({ QUEUE_PREFIX: prefix }) });
      const [first, second] = [await of('production'), await of('staging')];
      const half = { ...site, cases: Math.ceil(site.cases / 2) };
      const rest = { ...site, cases: site.cases - half.cases };
      const [one, other] = [await judgeAll(half, first), await judgeAll(rest, second)];
      const sum = (name: keyof typeof one.counts) => one.counts[name] + other.counts[name];
      const strangers = one.counts.decided - half.cases + (other.counts.decided - rest.cases);
      return {
        counts: {
          accepted: sum('accepted'),
          decided: sum('decided'),
          delivered: sum('delivered'),
          twice: sum('twice'),
        },
        refused: null,
        note: `${strangers} of the other installation`,
        failures: [...one.failures, ...other.failures],
      };
    },
  },
];
