import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { temporaryFolder, until } from '@casefile/contracts/testing';
import { startRedis } from '@casefile/embedded/testing';
import { Redis } from 'ioredis';
import { launchedServices, type Launched } from '../testing/launched-services.js';
import {
  asDocumentedUser,
  startRedisCluster,
  startRedisWithSentinel,
  startRedisWithTls,
} from '../testing/redis-forms.js';

const CASES = 20;

const start = (queueUrl: string, env: Record<string, string> = {}) =>
  launchedServices({ queueUrl, env: () => ({ LLM_PROVIDER: 'none', LOG_LEVEL: 'fatal', ...env }) });

const anAlert = () => ({
  text: `Your parcel waits, pay at https://parcel-${randomUUID()}.example/pay`,
  playbook: 'scam-verdict',
});

const postAlert = (system: Launched) =>
  fetch(`${system.service('ingest').url}/v1/alerts`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(anAlert()),
  });

const decided = async ({ store }: Launched) => {
  const rows = await store.database.rows<{ n: number }>(`select count(*)::int n from deliveries`);
  return rows[0]?.n ?? 0;
};

async function judgesCases(system: Launched, count = CASES): Promise<void> {
  const before = await decided(system);
  await Promise.all(Array.from({ length: count }, () => system.alert(anAlert())));
  await until(`${count} cases are decided`, async () => (await decided(system)) === before + count);
}

/** The answer of the probe, the answer to an alert, and the open condition of the queue store. */
async function refusal(system: Launched) {
  await until('the form of the store is known', () => system.platform.queue.unusable() !== null);
  const [ready, post] = [
    await fetch(`${system.service('ingest').url}/health/ready`),
    await postAlert(system),
  ];
  const conditions = await fetch(`${system.service('console').url}/api/v1/conditions`);
  const { conditions: open } = (await conditions.json()) as {
    conditions: { id: string; text: string; effect: string }[];
  };
  return {
    ready: { status: ready.status, text: await ready.text() },
    post: { status: post.status, ...((await post.json()) as { reasonCode: string; detail: string }) },
    condition: open.find(({ id }) => id === 'queue_out'),
  };
}

/** That these forms judge cases is tested by `infrastructure.spec.ts`; here, how others are refused. */
describe('the forms of Redis', () => {
  it.each([
    ['a node of a cluster', startRedisCluster, 'redis+cluster://'],
    ['a sentinel', startRedisWithSentinel, 'redis+sentinel://'],
  ])(
    'refuses alerts under the plain address of %s, and names the form to write',
    async (_name, open, form) => {
      const redis = await open();
      const system = await start(`redis://${redis.places[0]}`);
      try {
        const { ready, post, condition } = await refusal(system);
        expect(ready).toEqual({ status: 503, text: expect.stringContaining(form) });
        expect(post).toMatchObject({
          status: 503,
          reasonCode: 'queue_unusable',
          detail: expect.stringContaining(form),
        });
        expect(condition).toMatchObject({
          text: expect.stringContaining(form),
          effect: expect.stringContaining('Senders get 503'),
        });
      } finally {
        await system.close();
        await redis.stop();
      }
    },
  );

  it('two installations: the second refuses alerts under the same prefix, and works under its own', async () => {
    const redis = await startRedis({ dir: join(temporaryFolder('queue-forms'), 'redis') });
    const first = await start(redis.url);
    await judgesCases(first, 2);
    // Databases of tests are copies of one template, so their records have the same id.
    const owner = new Redis(redis.url);
    await owner.set('bull:installation', randomUUID());
    owner.disconnect();
    const second = await start(redis.url);
    const third = await start(redis.url, { QUEUE_PREFIX: 'staging' });
    try {
      const { ready, post } = await refusal(second);
      expect(ready).toEqual({ status: 503, text: expect.stringContaining('QUEUE_PREFIX') });
      expect(post).toMatchObject({ status: 503, reasonCode: 'queue_unusable' });
      await judgesCases(third, 2);
      expect([await decided(second), await decided(third)]).toEqual([0, 2]);
    } finally {
      await Promise.all([first, second, third].map((system) => system.close()));
      await redis.stop();
    }
  });

  it('a user with the documented rights judges cases; one without scripts is refused by name', async () => {
    const redis = await startRedis({ dir: join(temporaryFolder('queue-rights'), 'redis') });
    const [allowed, weak] = [
      await start(await asDocumentedUser(redis.url, 'casefile')),
      await start(await asDocumentedUser(redis.url, 'weak', ['-@scripting'])),
    ];
    try {
      await judgesCases(allowed, 5);
      const { ready, post } = await refusal(weak);
      expect(ready).toEqual({ status: 503, text: expect.stringContaining('may not run EVAL') });
      expect(`${ready.text} ${post.detail}`).not.toContain('hunter22');
    } finally {
      await Promise.all([allowed.close(), weak.close()]);
      await redis.stop();
    }
  });

  it('rediss: trusts the authority of QUEUE_TLS_CA_FILE, and shows its certificate', async () => {
    const redis = await startRedisWithTls();
    const { QUEUE_TLS_CA_FILE, ...certificate } = redis.env;
    const trusting = await start(redis.url, { ...certificate, QUEUE_TLS_CA_FILE });
    const without = await start(redis.url, certificate);
    try {
      await judgesCases(trusting, 5);
      const ready = await fetch(`${without.service('ingest').url}/health/ready`);
      expect([ready.status, await ready.text()]).toEqual([503, expect.stringMatching(/certificate/)]);
    } finally {
      await Promise.all([trusting.close(), without.close()]);
      await redis.stop();
    }
  });

  it('a Redis that deletes keys when its memory is full is a condition', async () => {
    const settings = { 'maxmemory-policy': 'allkeys-lru' };
    const redis = await startRedis({ dir: join(temporaryFolder('queue-evicts'), 'redis'), settings });
    const warned: unknown[] = [];
    const spy = jest.spyOn(console, 'warn').mockImplementation((...said) => void warned.push(...said));
    const system = await start(redis.url);
    try {
      await until('the policy is known', () => system.platform.queue.evictionPolicy() !== null);
      await until('the condition is open', async () => {
        const answer = await fetch(`${system.service('console').url}/api/v1/conditions`);
        const { conditions } = (await answer.json()) as { conditions: { id: string; text: string }[] };
        return conditions.some(({ id, text }) => id === 'queue_evicts' && text.includes('allkeys-lru'));
      });
      // BullMQ would write plain text for each connection.
      expect(warned).toEqual([]);
    } finally {
      spy.mockRestore();
      await system.close();
      await redis.stop();
    }
  });
});
