import { join } from 'node:path';
import { pause, temporaryFolder, until } from '@casefile/contracts/testing';
import { startRedis, type RedisServer } from '@casefile/embedded/testing';
import { startSimulator, type Simulator } from '@casefile/llm-simulator/simulator';
import { eventReceiver, type EventReceiver } from '../testing/event-receiver.js';
import { FIVE_SERVICES, fiveServices, type FiveServices } from '../testing/five-services.js';
import { lineTo, type Line } from '../testing/line-to.js';
import { systemDatabase } from '../testing/system-database.js';

describe('T-20 a night in which one part after another fails', () => {
  let receiver: EventReceiver;
  let redis: RedisServer;
  let database: Awaited<ReturnType<typeof systemDatabase>>;
  let postgres: Line;
  let simulator: Simulator;
  let model: Line;
  let system: FiveServices;
  const judge = (name: string) =>
    system.alert({
      playbook: 'scam-verdict',
      text: `Your account ${name} is locked. Confirm your password at http://bank-login.example/${name}`,
    });
  const conditions = (path: string) =>
    receiver
      .at(path)
      .flatMap(({ type, data }) => (data.condition === undefined ? [] : `${type} ${data.condition.id}`));
  const has = (type: string, id: string, path = '/ops') =>
    until(`${path} gets ${type} ${id}`, () => conditions(path).includes(`${type} ${id}`));

  beforeAll(async () => {
    receiver = await eventReceiver();
    redis = await startRedis({ dir: join(temporaryFolder('night'), 'redis') });
    database = await systemDatabase();
    postgres = await lineTo(database.url);
    simulator = await startSimulator();
    model = await lineTo(simulator.baseUrl);
    const hook = (path: string, more: object) => ({ type: 'webhook', url: receiver.url + path, allowPrivate: true, ...more }); // prettier-ignore
    system = await fiveServices({
      services: [...FIVE_SERVICES, 'console'],
      databaseUrl: database.url,
      queueUrl: redis.url,
      settings: {
        destinations: {
          ops: hook('/ops', {
            when: { events: ['verdict', 'condition'] },
            escalateTo: 'second',
            afterSeconds: 10,
          }),
          second: hook('/second', {
            when: { events: 'condition', condition: ['destination_failing', 'store_out'] },
          }),
        },
      },
      env: () => ({ DATABASE_URL: postgres.url, LLM_BASE_URL: model.url }),
    });
    await system.start();
  });
  afterAll(async () => {
    await system?.close();
    await postgres?.cut();
    await model?.cut();
    await simulator?.close();
    await database?.drop();
    await redis?.kill9();
    receiver?.close();
  });

  it('reports each failure and its end once, to somebody who can be reached', async () => {
    await model.cut();
    await judge('A');
    await has('condition.opened', 'provider_out.simulator');
    await model.restore();
    await pause(10_000, 'the circuit of the provider is open for ten seconds');
    await judge('B');
    await has('condition.closed', 'provider_out.simulator');

    await system.service('reasoner').signal('SIGKILL');
    await has('condition.opened', 'service_absent.reasoner');
    await system.service('reasoner').start();
    await has('condition.closed', 'service_absent.reasoner');

    await redis.kill9();
    await has('condition.opened', 'queue_out');
    await redis.restart();
    await has('condition.closed', 'queue_out');

    receiver.refuses.add('/ops');
    await judge('C');
    await has('condition.opened', 'destination_failing.ops', '/second');
    receiver.refuses.delete('/ops');
    await judge('D');
    await has('condition.closed', 'destination_failing.ops', '/second');

    await postgres.cut();
    await has('condition.opened', 'store_out');
    await postgres.restore();
    await has('condition.closed', 'store_out');

    const once = (...ids: string[]) =>
      ids.flatMap((id) => [`condition.opened ${id}`, `condition.closed ${id}`]);
    expect(conditions('/ops')).toEqual(
      once('provider_out.simulator', 'service_absent.reasoner', 'queue_out', 'store_out'),
    );
    expect(conditions('/second')).toEqual(once('destination_failing.ops', 'store_out'));
    // The verdict that the first destination refused reached the second one.
    const verdicts = (path: string) => receiver.at(path).filter(({ type }) => type === 'verdict.decided');
    expect(verdicts('/ops')).toHaveLength(3);
    expect(verdicts('/second')).toMatchObject([
      { data: { title: expect.stringMatching(/^Not accepted by ops: /) } },
    ]);
  }, 600_000);
});
