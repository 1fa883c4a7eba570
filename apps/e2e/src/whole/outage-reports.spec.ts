import { join } from 'node:path';
import { temporaryFolder, until } from '@casefile/contracts/testing';
import { startRedis } from '@casefile/embedded/testing';
import { eventReceiver } from '../testing/event-receiver.js';
import { inThisProcess } from '../testing/launched-services.js';
import { lineTo } from '../testing/line-to.js';
import { systemDatabase } from '../testing/system-database.js';

describe('T-20 Casefile reports while Redis is stopped', () => {
  it('that the queue store is out, and when it answers again, and sends no heartbeat meanwhile', async () => {
    const receiver = await eventReceiver();
    const redis = await startRedis({ dir: join(temporaryFolder('reports'), 'redis') });
    const when = { events: 'condition', condition: 'queue_out' };
    const system = await inThisProcess({
      queueUrl: redis.url,
      settings: {
        destinations: { ops: { type: 'webhook', url: `${receiver.url}/ops`, allowPrivate: true, when } },
        delivery: { heartbeat: { url: '${MONITOR}', everySeconds: 10, allowPrivate: true } },
      },
      env: () => ({ LLM_PROVIDER: 'none', LOG_LEVEL: 'fatal', MONITOR: `${receiver.url}/alive` }),
    });
    const { database } = system.store;
    const longAgo = () =>
      database.rows(`update reported_until set at = at - interval '1 hour' where kind = 'heartbeat'`);
    const passes = async () =>
      (
        await database.rows<{ at: Date }>(`select at from reported_until where kind = 'review-overdue'`)
      )[0]?.at.getTime() ?? 0;
    const beats = () => receiver.at('/alive').length;
    try {
      await until('the monitor has a heartbeat', () => beats() > 0);
      await redis.kill9();
      await until('the outage is reported', () => receiver.at('/ops').length === 1);
      // A pass marks the reviews before its heartbeat. The second mark proves that a pass with a due heartbeat has ended.
      const before = beats();
      await longAgo();
      const pass = await passes();
      await until('a pass began', async () => (await passes()) > pass);
      const next = await passes();
      await until('another pass began', async () => (await passes()) > next);
      expect(beats()).toBe(before);
      await redis.restart();
      await until('heartbeats are sent again', () => beats() > before);
      await until('its end is reported', () => receiver.at('/ops').length === 2);
      expect(receiver.at('/ops').map(({ type, data }) => [type, data.condition?.id])).toEqual([
        ['condition.opened', 'queue_out'],
        ['condition.closed', 'queue_out'],
      ]);
    } finally {
      await system.close();
      await redis.kill9();
      receiver.close();
    }
  });
});

describe('T-20 Casefile reports while Postgres is stopped', () => {
  it('that the database is out, from memory, once, and when it answers again by the record', async () => {
    const receiver = await eventReceiver();
    const redis = await startRedis({ dir: join(temporaryFolder('reports-store'), 'redis') });
    const database = await systemDatabase();
    const line = await lineTo(database.url);
    const hook = (path: string, when: object) => ({ type: 'webhook', url: receiver.url + path, allowPrivate: true, when }); // prettier-ignore
    const system = await inThisProcess({
      queueUrl: redis.url,
      settings: {
        destinations: {
          ops: hook('/ops', { events: 'condition', condition: 'store_out' }),
          archive: hook('/archive', {}),
        },
      },
      env: () => ({ LLM_PROVIDER: 'none', LOG_LEVEL: 'fatal', DATABASE_URL: line.url }),
    });
    const rows = (text: string) => system.store.database.rows(text);
    try {
      await until('a pass has ended', async () => (await rows('select at from reported_until')).length > 0);
      await line.cut();
      await until('the outage is reported', () => receiver.at('/ops').length > 0);
      await line.restore();
      await until('its end is reported', () => receiver.at('/ops').length > 1);
      const [opened, closed] = receiver.at('/ops');
      expect(opened).toMatchObject({
        type: 'condition.opened',
        data: {
          title: expect.stringMatching(/^ERROR: The database does not answer/),
          text: expect.stringMatching(/Since: .*\nEffect: .*503.*\nTo do: Start the database/),
          condition: { id: 'store_out', severity: 'error', closedAt: null },
        },
      });
      expect(closed).toMatchObject({ type: 'condition.closed', data: { condition: { id: 'store_out' } } });
      await until('both are recorded as delivered', async () => {
        const { deliveries } = await system.store.destinations.list({ destination: 'ops', limit: 10 });
        return deliveries.map(({ state }) => state).join() === 'delivered,delivered';
      });
      const { deliveries } = await system.store.destinations.list({ destination: 'ops', limit: 10 });
      const first = { id: opened!.data['deliveryId'], attempts: [{ status: 200, problem: null }] };
      expect(deliveries).toMatchObject([
        { kind: 'condition-closed' },
        { kind: 'condition-opened', ...first },
      ]);
      expect([receiver.at('/ops').length, receiver.at('/archive')]).toEqual([2, []]);
    } finally {
      await system.close();
      await line.cut();
      await database.drop();
      await redis.kill9();
      receiver.close();
    }
  });
});
