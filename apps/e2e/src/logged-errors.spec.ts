import { join } from 'node:path';
import { randomUUID } from 'node:crypto';
import { asCasefileError, CasefileError, type Logger, type Nudge } from '@casefile/contracts';
import { temporaryFolder, until } from '@casefile/contracts/testing';
import { startRedis, type RedisServer } from '@casefile/embedded/testing';
import {
  BullMqServer,
  connectQueueStore,
  createAlertSender,
  BullMqQueue,
  type QueueStore,
} from '@casefile/queue';
import { createPostgresStore } from '@casefile/store';
import { testDatabase, type TestDatabase } from '@casefile/store/testing';
import { createLogger } from '@casefile/telemetry';
import { redisCommand } from './testing/redis-command.js';

/** Words that stand for a secret and for content. */
const [SECRET, CONTENT] = ['kanarie7secret', 'kanarie7content'];

/** Everything that was logged, and what libraries print themselves. */
const lines: string[] = [];
const log: Logger = createLogger({
  level: 'debug',
  service: 'test',
  destination: { write: (line: string) => void lines.push(line) },
});

/** Does what fails, and logs the error under the names that this code uses. */
async function logFailure(work: () => Promise<unknown>): Promise<string> {
  const thrown: unknown = await work().then(
    () => new Error('it did not fail'),
    (error: unknown) => error,
  );
  log.error({ error: thrown }, 'it failed');
  log.warn({ err: thrown, others: [{ thrown }] }, 'it failed');
  return asCasefileError(thrown).message;
}

const NUDGE: Nudge = {
  kind: 'stage',
  stage: 'reason',
  runId: randomUUID(),
  unit: '',
  round: 0,
  nudge: 1,
  lane: 'live',
};

/** An error with content in its properties, as errors of drivers are. */
const withContent = () =>
  Object.assign(new Error('it has content'), { command: { args: [CONTENT, Buffer.from(CONTENT)] } });

/** The errors in all lines, with their causes. */
interface LoggedError {
  message: string;
  code?: string;
  reasonCode?: string;
  cause?: LoggedError;
}
const causes = (error: LoggedError | undefined): LoggedError[] =>
  error === undefined ? [] : [error, ...causes(error.cause)];
const logged = (): LoggedError[] =>
  lines.flatMap((line) => {
    const { error, err } = JSON.parse(line) as { error?: LoggedError; err?: LoggedError };
    return [...causes(error), ...causes(err)];
  });
const messages = () => logged().map(({ message }) => message);

describe('no log line holds a secret or content', () => {
  const prints = (['error', 'warn', 'log'] as const).map((name) =>
    jest.spyOn(console, name).mockImplementation((...parts: unknown[]) => {
      lines.push(
        JSON.stringify({
          printed: parts.map((part) => (part instanceof Error ? { ...part, message: part.message } : part)),
        }),
      );
    }),
  );
  beforeEach(() => void lines.splice(0));
  afterEach(() => {
    const whole = lines.join('');
    expect(lines.length).toBeGreaterThan(0);
    for (const word of [SECRET, CONTENT])
      expect([word, lines.filter((line) => line.includes(word))]).toEqual([word, []]);
    // Redis gets jobs and passwords as bytes too.
    const bytes = [...Buffer.from(CONTENT)].join(',');
    expect(whole).not.toContain(bytes);
  });
  afterAll(() => prints.forEach((print) => print.mockRestore()));

  describe('of errors of Redis and BullMQ', () => {
    let redis: RedisServer;
    let opened: QueueStore[];
    const open = async (url: string) => {
      const connection = await connectQueueStore(url, { log });
      opened.push(connection);
      return connection;
    };
    beforeEach(async () => {
      opened = [];
      redis = await startRedis({ dir: join(temporaryFolder('logged-errors'), 'redis') });
    });
    afterEach(async () => {
      for (const connection of opened) await connection.close();
      await redis.kill9();
    });

    it('names a wrong password as the cause, in the log and in the reason of the queue', async () => {
      await redisCommand(redis.url, 'config', 'set', 'requirepass', 'right');
      const connection = await open(redis.url.replace('//', `//:${SECRET}@`));
      const queue = new BullMqQueue({ connection, stages: ['reason'], tools: [] });
      await until('the queue names the cause', async () => {
        const thrown = await queue.ping(2_000).catch((error: unknown) => asCasefileError(error));
        return thrown?.message.includes('WRONGPASS') === true;
      });
      await logFailure(() => queue.ping(2_000));
      expect(messages()).toContainEqual(expect.stringMatching(/^WRONGPASS invalid username-password pair/));
      await queue.close();
    });

    it('names a full Redis as the cause, to senders and workers', async () => {
      const connection = await open(redis.url);
      const queue = new BullMqQueue({ connection, stages: ['reason'], tools: [] });
      const sender = createAlertSender(connection);
      const alert = { body: { text: CONTENT } };
      await sender.send([alert]);
      await redisCommand(redis.url, 'config', 'set', 'maxmemory', '1');
      const message = await logFailure(() => sender.send([alert]));
      expect(message).toMatch(/OOM command not allowed/);
      const full = { eventId: 'e', deliveryId: randomUUID(), playbook: CONTENT, text: CONTENT };
      await logFailure(() => queue.publishVerdicts([full as never]));
      expect(messages()).toContainEqual(expect.stringMatching(/^OOM command not allowed/));
      await queue.close();
      await sender.close();
    });

    it('names a failed script of BullMQ, a job that cannot be read and one that fails', async () => {
      const connection = await open(redis.url);
      const queue = new BullMqQueue({ connection, stages: ['reason'], tools: [] });
      const sender = createAlertSender(connection);
      const topics = { alerts: { live: 1, bulk: 0 } };
      const server = new BullMqServer({ connection, topics, log, graceMs: 0 });
      const fails = () =>
        Promise.reject(new CasefileError('unexpected', 'the handler failed', { cause: withContent() }));
      server.addHandler('alerts', fails, true);
      await sender.send([
        { id: 'whole', body: { text: CONTENT } },
        { id: 'broken', body: { text: CONTENT } },
      ]);
      await redisCommand(redis.url, 'hset', 'bull:alerts:broken', 'data', `{"text": ${CONTENT}`);
      await redisCommand(redis.url, 'set', 'bull:reason:wait', CONTENT);
      await logFailure(() => queue.nudge([NUDGE]));
      await new Promise<void>((resolve) => server.listen(() => resolve()));
      await until('the worker reports both jobs', () =>
        ['not valid JSON', 'the handler failed'].every((text) =>
          messages().some((message) => message.includes(text)),
        ),
      );
      expect(messages()).toContainEqual(expect.stringContaining('WRONGTYPE'));
      await server.close();
      await queue.close();
      await sender.close();
    });
  });

  describe('of errors of Postgres', () => {
    let database: TestDatabase;
    let store: ReturnType<typeof createPostgresStore>;
    const rows = (text: string, params: unknown[]) => store.database.rows(text, params);
    beforeAll(async () => {
      database = await testDatabase();
      store = createPostgresStore({ databaseUrl: database.url, poolSize: 2, log });
    });
    afterAll(async () => {
      await store.close();
      await database.drop();
    });

    it.each([
      ['a uuid', 'select $1::uuid', CONTENT, '22P02'],
      ['a number', 'select $1::int', CONTENT, '22P02'],
      ['JSON', 'select $1::jsonb', `{"a": ${CONTENT}`, '22P02'],
      ['a time', 'select $1::timestamptz', CONTENT, '22007'],
      ['an array', 'select $1::text[]', `{"${CONTENT}`, '22P02'],
      ['a search', `select to_tsquery('simple', $1)`, `${CONTENT} & &`, '42601'],
      ['a regular expression', `select 'a' ~ $1`, `(${CONTENT}`, '2201B'],
    ])('says that %s is none, and not which text is none', async (_what, text, value, sqlState) => {
      await logFailure(() => rows(text, [value]));
      expect(logged()).toContainEqual(expect.objectContaining({ code: sqlState }));
    });

    it.each([
      ['of a unique index', '($1, 1), ($1, 2)', 'planted_pkey'],
      ['of a check', '($1, 0)', 'planted_n_check'],
    ])('names the constraint %s, and no value of the row', async (_what, values, constraint) => {
      const planted = async (add: (text: string, params?: unknown[]) => Promise<unknown>) => {
        await add('create temp table planted (text text primary key, n int check (n > 0)) on commit drop');
        await add(`insert into planted values ${values}`, [CONTENT]);
      };
      await logFailure(() => store.database.transaction((tx) => planted((...given) => tx.rows(...given))));
      // As the driver throws it, with the row in its properties.
      const client = await store.database.pool.connect();
      await client.query('begin');
      await logFailure(() => planted((...given) => client.query(...given)));
      client.release(true);
      expect(messages().filter((message) => message.includes(`"${constraint}"`)).length).toBeGreaterThan(4);
    });

    it('names a wrong password as the cause', async () => {
      const url = new URL(database.url);
      url.username = 'nobody';
      url.password = SECRET;
      const other = createPostgresStore({ databaseUrl: url.href, poolSize: 1, log });
      const message = await logFailure(() => other.ping(2_000));
      expect(message).toMatch(/^The database refuses the connection: .*"nobody"/);
      await other.close();
    });
  });
});
