import { silentLogger } from '@casefile/contracts';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createBoard } from './board.js';
import { BullMqQueue } from './bull-queue.js';
import { connectQueueStore } from './connect-queue-store.js';
import { openQueue } from './open-queue.js';
import { postgresScratch, redisScratch } from './testing/bull-harness.js';
import { aNudge } from './testing/queue-harness.js';

describe.each([
  { name: 'Redis', make: redisScratch },
  { name: 'Postgres', make: postgresScratch },
])('the board on $name', ({ make }) => {
  it('shows the queues and their jobs, with nothing of theirs in its page', async () => {
    await withBoard(false, async ({ get, queue, connection }) => {
      const bad = openQueue(connection, 'triage');
      await bad.add('<script>alert(1)</script>', { text: '</script><img src=x onerror=alert(1)>' });
      await bad.close();
      await queue.nudge([aNudge()]);
      const page = await get('/queues/queue/triage');
      expect(page.headers.get('content-type')).toContain('text/html');
      const html = await page.text();
      expect(html).toContain('Casefile queues');
      expect(html).not.toContain('alert(1)');
      expect(html).not.toMatch(/(href|src)="https?:/);
      const answer = await get('/queues/api/queues?activeQueue=triage');
      expect(answer.headers.get('content-type')).toContain('application/json');
      const { queues } = (await answer.json()) as {
        queues: {
          name: string;
          counts: { waiting: number };
          jobs: { name: string }[];
          hasWorkers: unknown;
        }[];
      };
      // On Postgres the workers of a queue are not known, so the board does not claim that there are none.
      expect(queues[0]?.hasWorkers).toBe(connection.kind === 'redis' ? false : null);
      expect(queues.map((each) => [each.name, each.counts.waiting])).toEqual([
        ['triage', 1],
        ['reason', 1],
      ]);
      expect(queues[0]?.jobs[0]?.name).toBe('<script>alert(1)</script>');
    });
  });

  it('changes nothing when it is for reading only', async () => {
    await withBoard(true, async ({ get, queue }) => {
      const nudge = aNudge();
      await queue.nudge([nudge]);
      const answer = await get('/queues/api/queues/reason/empty', { method: 'PUT' });
      expect(answer.status).toBeGreaterThanOrEqual(400);
      expect(await queue.alive([nudge])).toEqual([true]);
    });
  });

  interface World {
    get(path: string, init?: RequestInit): Promise<Response>;
    queue: BullMqQueue;
    connection: Awaited<ReturnType<typeof connectQueueStore>>;
  }

  async function withBoard(readOnly: boolean, test: (world: World) => Promise<void>): Promise<void> {
    const scratch = await make();
    const connection = await connectQueueStore(scratch.url, { log: silentLogger, prefix: scratch.prefix });
    const queue = new BullMqQueue({ connection, stages: ['triage', 'reason'], tools: [] });
    const board = createBoard({
      connection,
      queues: ['triage', 'reason'],
      basePath: '/queues',
      readOnly,
      log: silentLogger,
    });
    // Mounted like Express: the handler does not see the base path.
    const server = createServer((request, response) => {
      request.url = (request.url ?? '/').replace(/^\/queues/, '') || '/';
      board.handler(request, response, () => response.writeHead(404).end());
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    try {
      await test({ get: (path, init) => fetch(origin + path, init), queue, connection });
    } finally {
      server.closeAllConnections();
      server.close();
      await board.close();
      await queue.close();
      await connection.close();
      await scratch.drop();
    }
  }
});
