import { silentLogger } from '@casefile/contracts';
import { createConnection, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { until } from '@casefile/contracts/testing';
import { BullMqQueue } from './bull-queue.js';
import { BullMqServer } from './bullmq-server.js';
import { connectQueueStore } from './connect-queue-store.js';
import { openQueue } from './open-queue.js';
import { redisRetryDelay } from './queue-options.js';
import { addHandlers, listening, redisScratch } from './testing/bull-harness.js';
import { aNudge } from './testing/queue-harness.js';

/** Accepts connections and never answers, like a stopped process. */
async function muteServer(): Promise<{ url: string; close(): void }> {
  const sockets: Socket[] = [];
  const server: Server = createServer((socket) => sockets.push(socket.on('error', () => undefined)));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = () => {
    for (const socket of sockets) socket.destroy();
    server.close();
  };
  return { url: `redis://127.0.0.1:${(server.address() as AddressInfo).port}`, close };
}

/** A proxy to a server. It can be cut, as if the server died, and restored. */
async function lineTo(target: string): Promise<{ url: string; cut(): Promise<void>; mend(): Promise<void> }> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = createConnection(Number(port), hostname);
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(socket);
      socket.on('error', () => other.destroy()).on('close', () => other.destroy());
      socket.pipe(other);
    }
  });
  const listen = (at: number) => new Promise<void>((resolve) => server.listen(at, '127.0.0.1', resolve));
  await listen(0);
  const own = (server.address() as AddressInfo).port;
  const cut = async () => {
    const closed = new Promise((resolve) => server.close(resolve));
    for (const socket of sockets) socket.destroy();
    sockets.clear();
    await closed;
  };
  return { url: `redis://127.0.0.1:${own}`, cut, mend: () => listen(own) };
}

describe('the Redis store', () => {
  it('R8: says that it is away instead of waiting for it, also when it never was there', async () => {
    const scratch = await redisScratch();
    const line = await lineTo(scratch.url);
    await line.cut();
    const connection = await connectQueueStore(line.url, { log: silentLogger, prefix: scratch.prefix });
    const queue = new BullMqQueue({ connection, stages: ['reason'], tools: [] });
    await until('Redis counts as unavailable', () => connection.unavailable() !== null);
    const away = { reasonCode: 'queue_unavailable', retryable: true };
    await expect(queue.nudge([aNudge()])).rejects.toMatchObject(away);
    await expect(queue.alive([aNudge()])).rejects.toMatchObject(away);
    await expect(queue.ping(60_000)).rejects.toMatchObject(away);
    await line.mend();
    await until('Redis counts as available', () => connection.unavailable() === null);
    await queue.nudge([aNudge()]);
    await queue.close();
    await connection.close();
    await line.cut();
    await scratch.drop();
  });

  it('R8: works on when Redis is back, and closes while it is away', async () => {
    const scratch = await redisScratch();
    const line = await lineTo(scratch.url);
    const connection = await connectQueueStore(line.url, { log: silentLogger, prefix: scratch.prefix });
    const queue = new BullMqQueue({ connection, stages: ['reason'], tools: [] });
    const topics = { reason: { live: 2, bulk: 1 } };
    const server = new BullMqServer({ connection, topics, log: silentLogger, graceMs: 60_000 });
    let done = 0;
    addHandlers(server, { reason: async () => void (done += 1) });
    await listening(server);
    await queue.nudge([aNudge()]);
    await until('the job is done', () => done === 1);
    await line.cut();
    await until('Redis counts as unavailable', () => connection.unavailable() !== null);
    await line.mend();
    await until('Redis counts as available', () => connection.unavailable() === null);
    await queue.nudge([aNudge()]);
    await until('2 jobs are done', () => done === 2);
    await line.cut();
    await until('Redis counts as unavailable', () => connection.unavailable() !== null);
    await server.close();
    await queue.close();
    await connection.close();
    await scratch.drop();
  });

  it('says that a server which accepts and never answers is away', async () => {
    const mute = await muteServer();
    const connection = await connectQueueStore(mute.url, { log: silentLogger });
    const queue = new BullMqQueue({ connection, stages: ['reason'], tools: [] });
    await expect(queue.ping(50)).rejects.toMatchObject({ reasonCode: 'queue_unavailable' });
    await connection.close();
    mute.close();
    await queue.close();
  });

  it('R8: is asked again within a second of its return, however long it was away', () => {
    for (const times of [1, 2, 10, 1_000_000]) expect(redisRetryDelay(times)).toBeLessThanOrEqual(1_000);
  });

  it('keeps what waits where charts that scale by backlog look: bull:<queue>:wait', async () => {
    const scratch = await redisScratch();
    const connection = await connectQueueStore(scratch.url, { log: silentLogger });
    expect(connection.prefix).toBe('bull');
    const queue = openQueue(connection, 'reason');
    expect(queue.qualifiedName).toBe('bull:reason');
    await queue.close();
    await connection.close();
    await scratch.drop();
  });

  it('takes no prefix for a database', async () => {
    const options = { log: silentLogger, prefix: 'staging' };
    await expect(connectQueueStore('postgres://localhost/q', options)).rejects.toMatchObject({
      message: expect.stringContaining('QUEUE_PREFIX'),
    });
  });

  it.each(['', 'localhost:6379', 'http://localhost', 'mysql://localhost'])(
    'takes no other address: "%s"',
    async (url) => {
      await expect(connectQueueStore(url, { log: silentLogger })).rejects.toMatchObject({
        reasonCode: 'invalid_input',
        message: expect.stringContaining('QUEUE_URL'),
      });
    },
  );
});
