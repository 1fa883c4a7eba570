import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { consoleWith } from '@casefile/console/console';
import type { Condition, PipelineView } from '@casefile/contracts';
import { temporaryFolder, until } from '@casefile/contracts/testing';
import { startRedis, type RedisServer } from '@casefile/embedded/testing';
import { checkedCallers, createKey, keyDigest, startService, type RunningService } from '@casefile/runtime';
import { testDatabase, type TestDatabase } from '@casefile/store/testing';
import { lineTo, type Line } from './testing/line-to.js';
import { runCasefile } from './testing/run-casefile.js';
import { worldOn, type World } from './testing/world.js';

let database: TestDatabase;
let line: Line;
let redis: RedisServer;
let world: World;
let service: RunningService;
let key: string | null = null;
let cookie: string | null = null;

beforeAll(async () => {
  database = await testDatabase();
  line = await lineTo(database.url);
  redis = await startRedis({ dir: join(temporaryFolder('stores-out'), 'redis') });
  world = await worldOn(line.url, redis.url, null);
  service = await startService(consoleWith({ dashboard: '/nowhere' }), world.platform);
  // A condition that needs only the record.
  const letter = { id: randomUUID(), reasonCode: 'invalid_input', message: 'no text', payload: {} };
  await world.platform.store.deadLetters.bury(letter);
});
afterAll(async () => {
  await service.close();
  await world.close();
  await line.cut();
  await redis.kill9();
  await database.drop();
});

async function get(path: string): Promise<{ status: number; body: Record<string, unknown> }> {
  const response = await fetch(service.url + path, { headers: proofs() });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}
const proofs = (): Record<string, string> => ({
  ...(key !== null && { authorization: `Bearer ${key}` }),
  ...(cookie !== null && { cookie }),
});
/** Posts to the sign-in as a page of the console does. */
const postAuth = (path: string, body: object): Promise<Response> =>
  fetch(service.url + path, {
    method: 'POST',
    headers: { origin: service.url, 'content-type': 'application/json', ...proofs() },
    body: JSON.stringify(body),
  });
const conditions = async (): Promise<Condition[]> => {
  const { status, body } = await get('/api/v1/conditions');
  expect([status, body]).toEqual([200, { conditions: expect.anything() }]);
  // In this world, services send no heartbeats, and nobody imported scam patterns.
  const all = body['conditions'] as Condition[];
  return all.filter(({ id }) => !/^(?:service_absent|knowledge_empty)/.test(id));
};
const idsAre = async (...ids: string[]): Promise<boolean> =>
  (await conditions()).map(({ id }) => id).join() === ids.join();
const status = () => runCasefile('status', '--console', service.url);

describe('T-20 the console while Redis', () => {
  const ways = [
    [
      'is stopped',
      () => redis.kill9(),
      () => redis.restart(),
      /^The queue store is not available: .*connect ECONNREFUSED/,
    ],
    [
      'does not answer',
      async () => void process.kill(redis.pid, 'SIGSTOP'),
      async () => void process.kill(redis.pid, 'SIGCONT'),
      /^The queue store is not available: no answer (?:in|within) \d+ ms/,
    ],
  ] as const;

  it.each(ways)(
    '%s states since when, what still works and what to do, and keeps the other conditions',
    async (_what, stop, start, text) => {
      await until('only the dead letter is a problem', () => idsAre('dead_letters'));
      const stoppedAt = new Date().toISOString();
      let isOut = true;
      await stop();
      try {
        await until('the outage is a condition', () => idsAre('queue_out', 'dead_letters'));
        const [outage] = await conditions();
        expect(outage).toEqual({
          id: 'queue_out',
          severity: 'error',
          since: expect.any(String),
          text: expect.stringMatching(text),
          effect: expect.stringMatching(/^Alerts are accepted over HTTP and judged later; nothing is lost/),
          act: expect.stringContaining('QUEUE_URL'),
          link: '/',
        });
        expect(outage!.since! >= stoppedAt).toBe(true);
        expect((await get('/health/ready')).status).toBe(200);

        const { body } = await get('/api/v1/pipeline');
        const view = body as unknown as PipelineView;
        expect(view).toMatchObject({
          deadLetters: 1,
          queueOutage: { id: 'queue_out', since: outage!.since },
        });
        for (const { lanes } of [...view.stages, ...view.tools])
          expect(lanes).toContainEqual(
            expect.objectContaining({ waiting: null, active: null, delayed: null }),
          );

        const refused = {
          status: 503,
          body: expect.objectContaining({
            reasonCode: 'queue_unavailable',
            detail: expect.stringContaining(`(since ${outage!.since}). ${outage!.effect} ${outage!.act}`),
          }),
        };
        expect(await get('/api/v1/queues')).toEqual(refused);
        expect(await get('/queues')).toEqual(refused);

        const { code, lines, errors } = await status();
        expect([code, errors]).toEqual([1, []]);
        expect(lines.join('\n')).toMatch(/The queue store is not available[^]*1 dead letter waits/);

        const alert = { playbook: 'scam-verdict', text: `Pay ${stoppedAt}`, collect: false };
        const { caseId } = await world.accept(alert);
        // The outage is remembered, not found again by each client.
        expect((await conditions())[0]?.since).toBe(outage!.since);
        await start();
        isOut = false;
        await until('the outage is over', () => idsAre('dead_letters'));
        // Each view uses its last reading for a second, and longer if the reading took long.
        await until('queues are read', async () => (await get('/api/v1/queues')).status === 200);
        await until('the pipeline shows no outage', async () => {
          const { body: seen } = await get('/api/v1/pipeline');
          return seen['queueOutage'] === null;
        });
        expect((await world.ended(caseId)).runs[0]?.status).toBe('decided');
      } finally {
        if (isOut) await start();
      }
    },
  );
});

describe('T-20 the console while Postgres is stopped', () => {
  afterEach(() => {
    key = null;
    cookie = null;
  });
  /** A condition of the record, as it was last read. */
  const lastKnown = expect.objectContaining({ id: 'dead_letters', asOf: expect.any(String) });
  const outage = {
    id: 'store_out',
    severity: 'error',
    since: expect.any(String),
    text: expect.stringMatching(/^The database does not answer: /),
    effect: expect.stringContaining('the console shows no cases'),
    act: expect.stringContaining('DATABASE_URL'),
    link: '/',
  };
  /** The refusal of a request that needs the database. */
  const sentence = {
    status: 503,
    body: {
      reasonCode: 'store_unreachable',
      detail: expect.stringMatching(
        /^The database does not answer: [^]*the console shows no cases[^]*DATABASE_URL/,
      ),
    },
  };

  it('states it, with the last known conditions and their age, and no case', async () => {
    await until('only the dead letter is a problem', () => idsAre('dead_letters'));
    await line.cut();
    try {
      await until('the outage is a condition', () => idsAre('store_out', 'dead_letters'));
      await until('its source fails', async () => (await conditions())[1]?.asOf !== undefined);
      expect(await conditions()).toEqual([outage, lastKnown]);
      expect((await get('/health/ready')).status).toBe(200);
      const { code, lines, errors } = await status();
      expect([code, errors]).toEqual([1, []]);
      expect(lines.join('\n')).toMatch(
        /The database does not answer[^]*1 dead letter waits.*as of \d+ s ago/,
      );
      expect(await get('/api/v1/cases')).toMatchObject(sentence);
      expect(await get('/api/v1/pipeline')).toMatchObject(sentence);
    } finally {
      await line.restore();
    }
    await until('the outage is over', () => idsAre('dead_letters'));
  });

  it('shows conditions to callers checked in the last five minutes, and one sentence to all others', async () => {
    const { store, clock } = world.platform;
    const ports = { keys: store.keys, now: () => clock.now() };
    const create = (name: string, rights: object) =>
      createKey(ports, { name, reason: '', by: 'test', ...rights } as never, { actId: name, by: 'test', reason: '' }); // prettier-ignore
    const made = await create('ann', { role: 'admin' });
    const program = await create('gateway', { scopes: ['intake'] });
    const unused = await create('bob', { role: 'admin' });
    const revoked = await create('eve', { role: 'admin' });
    await until('keys are required', async () => (await get('/api/v1/cases')).status === 401);
    const paths = ['/api/v1/cases', '/api/v1/meta', '/api/v1/pipeline', '/api/v1/reviews', '/queues'];
    const signedIn = async (): Promise<string> =>
      (await postAuth('/auth/key', { key: made.key })).headers.get('set-cookie')!.split(';')[0]!;
    const cookies = [await signedIn(), await signedIn()] as const;
    for (const { key: one } of [made, program, revoked]) {
      key = one;
      await get('/api/v1/conditions');
    }
    key = null;
    for (const one of cookies) {
      cookie = one;
      expect((await get('/api/v1/conditions')).status).toBe(200);
    }
    cookie = null;
    key = made.key;
    const revoke = {
      method: 'POST',
      headers: { ...proofs(), 'content-type': 'application/json' },
      body: '{}',
    };
    expect((await fetch(`${service.url}/api/v1/keys/${revoked.id}/revoke`, revoke)).status).toBe(200);
    // An act on keys forgets all callers. These are checked again by their next request, as a page does every 5 s.
    await until('the key is checked again', async () => {
      await get('/api/v1/conditions');
      return checkedCallers(world.platform).find(keyDigest(made.key)) !== null;
    });
    key = program.key;
    await until('the key of the program is checked again', async () => {
      await get('/api/v1/conditions');
      return checkedCallers(world.platform).find(keyDigest(program.key)) !== null;
    });
    key = null;
    for (const one of cookies) {
      cookie = one;
      await get('/api/v1/conditions');
    }
    await line.cut();
    try {
      cookie = null;
      for (const candidate of [made.key, `${made.key.slice(0, -1)}x`, unused.key, revoked.key]) {
        key = candidate;
        // A key that was checked before the outage is valid for three seconds.
        await until('the console cannot check keys', async () => (await get('/api/v1/meta')).status !== 200);
        for (const path of paths) expect((await get(path)).status).toBeGreaterThanOrEqual(400);
      }
      for (const known of [{ key: made.key }, { cookie: cookies[0] }, { cookie: cookies[1] }]) {
        key = known.key ?? null;
        cookie = known.cookie ?? null;
        await until('the outage is a condition', () => idsAre('store_out', 'dead_letters'));
        expect(await conditions()).toEqual([outage, lastKnown]);
        for (const path of paths) expect(await get(path)).toMatchObject(sentence);
      }
      // The second session signs out, although the database cannot record it.
      expect((await postAuth('/auth/sign-out', {})).status).toBe(503);
      for (const unknown of [cookies[1], `cf=${'A'.repeat(43)}`, null]) {
        cookie = unknown;
        expect(await get('/api/v1/conditions')).toMatchObject(sentence);
      }
      for (const other of [unused.key, revoked.key]) {
        key = other;
        expect(await get('/api/v1/conditions')).toMatchObject(sentence);
      }
      key = program.key;
      expect((await get('/api/v1/conditions')).status).toBe(403);
      key = unused.key;
      const { code, lines, errors } = await status();
      expect(code).not.toBe(0);
      expect([...lines, ...errors].join('\n')).toMatch(/The database does not answer[^]*DATABASE_URL/);
      expect([...lines, ...errors].join('\n')).not.toMatch(/undefined|^\s+at /m);
    } finally {
      cookie = null;
      await line.restore();
    }
    key = made.key;
    await until('the outage is over', () => idsAre('dead_letters'));
  });
});
