import { once } from 'node:events';
import { createServer, get, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { EventFeed } from '@casefile/console/live/event-feed';
import { serveEventStream } from '@casefile/console/live/serve-event-stream';
import { serveSockets } from '@casefile/console/live/serve-sockets';
import { NO_CHANGES, ANYONE, type CaseStore, silentLogger } from '@casefile/contracts';
import { countingIds } from '@casefile/contracts/testing';
import { createPostgresStore } from '@casefile/store';
import { olderTransactionsOver, StoreBench, testDatabase, type TestDatabase } from '@casefile/store/testing';
import { WebSocket } from 'ws';

let database: TestDatabase;
let store: CaseStore;
let feed: EventFeed;
let server: Server;
let closeSockets: () => Promise<void>;
let url: string;

beforeAll(async () => {
  database = await testDatabase();
  store = createPostgresStore({ databaseUrl: database.url, poolSize: 6 });
  const limits = { pollMs: 5, page: 40 };
  feed = new EventFeed(
    { reader: store.record, changes: NO_CHANGES, clock: { now: () => Date.now() }, log: silentLogger },
    limits,
  );
  server = createServer(
    (request, response) =>
      void serveEventStream(feed, request.headers['last-event-id'] as string, {
        request,
        response,
        role: 'reviewer',
      }),
  ).listen(0, '127.0.0.1');
  closeSockets = serveSockets(server, feed, {
    log: silentLogger,
    hosts: [],
    guard: { admit: async () => ANYONE },
    readings: { noteContent: async () => undefined },
  });
  await once(server, 'listening');
  url = `127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  await feed.close();
  await closeSockets();
  server.close();
  await store.close();
  await database.drop();
});

/** One connection: hands every event it gets to `hear`, and breaks off when that says so. */
type Listen = (after: string, hear: (id: string) => boolean) => Promise<void>;

const overStream: Listen = async (after, hear) => {
  const request = get(`http://${url}/events`, { agent: false, headers: { 'last-event-id': after } });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  let text = '';
  response.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const id = /^id: (.*)$/m.exec(text.slice(0, end))?.[1];
      text = text.slice(end + 2);
      if (id !== undefined && !response.destroyed && !hear(id)) response.destroy();
    }
  });
  response.on('error', () => undefined);
  await new Promise((resolve) => response.once('close', resolve));
};

const overSocket: Listen = async (after, hear) => {
  const socket = new WebSocket(`ws://${url}/ws?lastEventId=${after}`);
  let isOver = false;
  socket.on('message', (data) => {
    const { id } = JSON.parse((data as Buffer).toString('utf8')) as { id: string };
    if (isOver || hear(id)) return;
    isOver = true;
    socket.terminate();
  });
  await once(socket, 'close');
};

/** Listens on and on, each time after the last event it heard, until `isAll`; the lengths of connections vary. */
async function listenOn(listen: Listen, isAll: (heard: string[]) => boolean): Promise<string[]> {
  const heard: string[] = [];
  for (let connection = 1; !isAll(heard); connection += 1) {
    let left = 1 + ((connection * 7) % 23);
    await listen(heard.at(-1) ?? '0', (id) => {
      heard.push(id);
      left -= 1;
      return left > 0 && !isAll(heard);
    });
  }
  return heard;
}

it('S2-31 gives every event once and in order over broken lines, while several processes write', async () => {
  const group = { next: 1 };
  const writers = Array.from({ length: 4 }, async () => {
    const bench = new StoreBench(store, countingIds((group.next += 1)), async () => undefined);
    for (let i = 0; i < 25; i += 1) await bench.dueAt('collect');
  });
  const total = 4 * 25 * 4;
  const isAll = (heard: string[]): boolean => heard.length >= total;
  const [byStream, bySocket] = await Promise.all([
    listenOn(overStream, isAll),
    listenOn(overSocket, isAll),
    ...writers,
  ]);
  await olderTransactionsOver(database.url);
  const written = (await store.record.eventsAfter(null, 10_000)).map((event) => event.id);
  expect(written).toHaveLength(total);
  expect(byStream).toEqual(written);
  expect(bySocket).toEqual(written);
});
