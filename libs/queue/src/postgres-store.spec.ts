import { silentLogger } from '@casefile/contracts';
import pg from 'pg';
import { until } from '@casefile/contracts/testing';
import { BullMqQueue } from './bull-queue.js';
import { BullMqServer } from './bullmq-server.js';
import { connectQueueStore } from './connect-queue-store.js';
import { isLostConnection } from './postgres-store.js';
import type { QueueStore } from './queue-store.js';
import { addHandlers, listening, postgresScratch, type Scratch } from './testing/bull-harness.js';
import { aNudge } from './testing/queue-harness.js';

const STAGES = ['triage', 'collect', 'reason', 'critique', 'write', 'decide'];

/** A queue, and a worker of the stage reason that notes its payloads. */
async function reasonWorker(connection: QueueStore) {
  const queue = new BullMqQueue({ connection, stages: STAGES, tools: [] });
  const topics = { reason: { live: 2, bulk: 1 } };
  const server = new BullMqServer({ connection, topics, log: silentLogger, graceMs: 1_000 });
  const seen: unknown[] = [];
  addHandlers(server, { reason: async (payload) => void seen.push(payload) });
  await listening(server);
  return { queue, server, seen };
}

describe('the Postgres store', () => {
  let scratch: Scratch;
  let admin: pg.Client;
  beforeEach(async () => {
    scratch = await postgresScratch();
    admin = new pg.Client(scratch.url);
    await admin.connect();
  });
  afterEach(async () => {
    await admin.end();
    await scratch.drop();
  });

  const sessions = async () => {
    const { rows } = await admin.query<{ n: number }>(
      "select count(*)::int n from pg_stat_activity where datname = current_database() and application_name = 'casefile-queue'",
    );
    return rows[0]?.n ?? 0;
  };

  it('takes one pool and one listening connection for all queues and workers of a process', async () => {
    const connection = await connectQueueStore(scratch.url, { log: silentLogger, poolSize: 3 });
    const queue = new BullMqQueue({ connection, stages: STAGES, tools: [] });
    const topics = Object.fromEntries(STAGES.map((stage) => [stage, { live: 8, bulk: 2 }]));
    const server = new BullMqServer({ connection, topics, log: silentLogger, graceMs: 1_000 });
    let done = 0;
    addHandlers(server, Object.fromEntries(STAGES.map((stage) => [stage, async () => void (done += 1)])));
    await listening(server);
    await queue.nudge(STAGES.flatMap((stage) => Array.from({ length: 20 }, () => aNudge({ stage }))));
    await until('120 jobs are done', () => done === 120);
    expect(await sessions()).toBeLessThanOrEqual(4);
    await server.close();
    await queue.close();
    await connection.close();
    await until('all sessions have ended', async () => (await sessions()) === 0);
  });

  it('E-01 R8 does not end the process when a connection breaks that is lent out and asks nothing', async () => {
    const connection = await connectQueueStore(scratch.url, { log: silentLogger });
    const pool = connection.handle as pg.Pool;
    const lent = await pool.connect();
    const ended = new Promise((resolve) => lent.once('end', resolve));
    await admin.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = 'casefile-queue'",
    );
    await ended;
    await expect(lent.query('select 1')).rejects.toThrow();
    lent.release(true);
    await expect(pool.query('select 1 as one')).resolves.toMatchObject({ rows: [{ one: 1 }] });
    await connection.close();
  });

  it('keeps its connection when a statement fails, because BullMQ raises an error for each job that another took', async () => {
    const connection = await connectQueueStore(scratch.url, { log: silentLogger, poolSize: 1 });
    const pool = connection.handle as pg.Pool;
    const session = async () =>
      (await pool.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]?.pid;
    const before = await session();
    const missing = `select bullmq.move_to_completed('q', 'no-job', 't', 'null', 0, true, 0, 0)`;
    await expect(pool.query(missing)).rejects.toThrow('no-job');
    expect(await session()).toBe(before);
    await connection.close();
  });

  it('R8 works although the server accepted no connection while the workers started', async () => {
    const connection = await connectQueueStore(scratch.url, { log: silentLogger });
    const refused = Object.assign(new Error('the server is too busy'), { code: 'ECONNREFUSED' });
    const connect = jest.spyOn(connection.handle as pg.Pool, 'connect');
    connect.mockImplementation(() => Promise.reject(refused));
    const { queue, server, seen } = await reasonWorker(connection);
    await until('a worker tries to connect', () => connect.mock.calls.length > 0);
    connect.mockRestore();
    await queue.nudge([aNudge()]);
    await until('the job is handled', () => seen.length === 1);
    await server.close();
    await queue.close();
    await connection.close();
  });

  it('R8: works on after the server threw out every connection, and hears of new jobs', async () => {
    const connection = await connectQueueStore(scratch.url, { log: silentLogger });
    const { queue, server, seen } = await reasonWorker(connection);
    await queue.nudge([aNudge()]);
    await until('the job is handled', () => seen.length === 1);
    await admin.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = 'casefile-queue'",
    );
    const listens = async () => {
      const { rows } = await admin.query(
        "select 1 from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and query ilike '%listen%'",
      );
      return rows.length > 0;
    };
    await until('a worker listens again', listens);
    await until('a nudge is sent', () =>
      queue.nudge([aNudge()]).then(
        () => true,
        () => false,
      ),
    );
    await until('2 jobs are handled', () => seen.length >= 2);
    await server.close();
    await queue.close();
    await connection.close();
  });

  it('may be prepared by several processes at once', async () => {
    const open = await Promise.all(
      [1, 2, 3].map(() => connectQueueStore(scratch.url, { log: silentLogger })),
    );
    for (const each of open) await each.close();
  });

  it('knows a lost connection from a wrong statement', async () => {
    const error = await admin.query('select nothing from nowhere').catch((thrown: unknown) => thrown);
    expect(isLostConnection(error)).toBe(false);
    expect(isLostConnection(Object.assign(new Error('connect ENOENT'), { code: 'ENOENT' }))).toBe(true);
    expect(
      isLostConnection(Object.assign(new pg.DatabaseError('going', 1, 'error'), { code: '57P01' })),
    ).toBe(true);
  });

  it('E-08 takes one that is read-only or full for lost: its workers pause, and ask not at once again', async () => {
    await admin.query('begin read only');
    const readOnly = await admin.query('create table t (n int)').catch((thrown: unknown) => thrown);
    await admin.query('rollback');
    const full = Object.assign(new pg.DatabaseError('could not extend file', 1, 'error'), { code: '53100' });
    expect([readOnly, full].map(isLostConnection)).toEqual([true, true]);
  });
});
