import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { countingIds, until, pause } from '@casefile/contracts/testing';
import { AnswerWatch } from './answer-watch.js';
import { createPostgresStore } from './create-postgres-store.js';
import { StoreBench } from './testing/store-bench.js';

describe('R9 work on a database server that may not answer', () => {
  let server: Server;
  let sockets: Socket[];
  /** Whether the server answers, here by closing the connection. */
  let answers: boolean;
  let url: string;
  let watch: AnswerWatch;

  beforeEach(async () => {
    [sockets, answers] = [[], false];
    server = createServer((socket) => {
      sockets.push(socket.on('error', () => undefined));
      if (answers) socket.destroy();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `postgresql://casefile@127.0.0.1:${(server.address() as AddressInfo).port}/casefile`;
    watch = new AnswerWatch(url);
  });
  afterEach(async () => {
    watch.close();
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });

  /** Work of this duration. */
  const slow = (ms: number) => async () => {
    await pause(ms, 'Work that outlasts the patience of the watch.');
    return 'done';
  };
  const never = () => new Promise<string>(() => undefined);

  it('fails for all who wait, and afterwards without a start of the work', async () => {
    const waiting = await Promise.allSettled([watch.within(never), watch.within(never)]);
    const [first, second] = waiting.map((end) => (end as PromiseRejectedResult).reason as object);
    expect(first).toMatchObject({ reasonCode: 'store_unreachable', retryable: true });
    expect(second).toMatchObject({ reasonCode: 'store_unreachable', retryable: true });
    expect(sockets).toHaveLength(1);
    const work = jest.fn(never);
    await expect(watch.within(work)).rejects.toMatchObject({ reasonCode: 'store_unreachable' });
    expect(work).not.toHaveBeenCalled();
  });

  it('starts work again once the server answers', async () => {
    await expect(watch.within(never)).rejects.toThrow('does not answer');
    answers = true;
    await until(
      'work is started again',
      async () => (await watch.within(() => Promise.resolve('done'))) === 'done',
    );
  });

  it('waits for the work itself if no connection can be opened', async () => {
    const broken = new AnswerWatch('postgresql://127.0.0.1/casefile?sslrootcert=/does/not/exist');
    await expect(broken.within(slow(500))).resolves.toBe('done');
    broken.close();
  });

  it('waits for slow work of a server that answers, and returns its result or its error', async () => {
    answers = true;
    await expect(watch.within(slow(1_200))).resolves.toBe('done');
    const failing = () => slow(1_200)().then(() => Promise.reject(new Error('refused')));
    await expect(watch.within(failing)).rejects.toThrow('refused');
    expect(sockets.length).toBeGreaterThan(0);
  });

  it('continues to wait if this process was too busy to read an answer', async () => {
    const waiting = watch.within(slow(1_500));
    await pause(160, 'The probe begins after 150 ms.');
    for (const until = performance.now() + 1_000; performance.now() < until;);
    await expect(waiting).resolves.toBe('done');
  });

  it('fails what intake waits for', async () => {
    // The limit of the pool, which would fail it too, is later also on a busy machine. Closing waits for it.
    const store = createPostgresStore({ databaseUrl: url, poolSize: 3, connectTimeoutMs: 15_000 });
    const asked = [
      store.runs.backlog(),
      store.keys.any(),
      store.keys.find('an-id'),
      store.keys.spentSince('a key', '2026-01-05'),
      store.runs.accept(new StoreBench(store, countingIds(), async () => undefined).request()),
    ];
    const ends = await Promise.allSettled(asked);
    for (const end of ends)
      expect((end as PromiseRejectedResult).reason).toMatchObject({
        reasonCode: 'store_unreachable',
        message: expect.stringContaining('The database server does not answer') as string,
      });
    await store.close();
  });

  it('opens one connection for all work, and waits for a server that opens it slowly', async () => {
    await expect(watch.within(() => Promise.resolve('done'))).resolves.toBe('done');
    await expect(watch.within(slow(1_100))).resolves.toBe('done');
    expect(sockets).toHaveLength(1);
  });
});
