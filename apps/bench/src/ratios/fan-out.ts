import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { EventFeed } from '@casefile/console/live/event-feed';
import { serveEventStream } from '@casefile/console/live/serve-event-stream';
import { serveSockets } from '@casefile/console/live/serve-sockets';
import { NO_CHANGES, ANYONE, silentLogger } from '@casefile/contracts';
import { createPostgresStore } from '@casefile/store';
import pg from 'pg';
import type { Heard } from './fan-out-listeners.js';
import type { Row } from './report.js';

const PER_SECOND = 5_000;
const LISTENERS = 50;
/** Interval between two batches of the writer, in milliseconds. */
const BEAT_MS = 20;

// About as long as the events of a stage.
const WRITE = `insert into events (type, data) select 'stage.completed', json_build_object('stage', 'reason', 'round', 1,
  'unit', '', 'artifact', 'draft', 'next', json_build_object('stage', 'critique', 'round', 1)) from generate_series(1, $1::int)`;

/** Measures the time from the transaction of an event to each of 50 listeners, at 5,000 events per second. */
export async function fanOut(
  databaseUrl: string,
  over: 'stream' | 'socket',
  seconds: number,
): Promise<Row[]> {
  const store = createPostgresStore({ databaseUrl, poolSize: 3 });
  const writer = new pg.Client({ connectionString: databaseUrl });
  await writer.connect();
  const feed = new EventFeed({
    reader: store.record,
    changes: NO_CHANGES,
    clock: { now: () => Date.now() },
    log: silentLogger,
  });
  const server = createServer(
    (request, response) => void serveEventStream(feed, undefined, { request, response, role: 'admin' }),
  ).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const closeSockets = serveSockets(server, feed, {
    log: silentLogger,
    hosts: [],
    guard: { admit: async () => ANYONE },
    readings: { noteContent: async () => undefined },
  });
  const place = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const url = over === 'socket' ? `ws://${place}/ws` : `http://${place}/`;
  const listeners = fork(new URL('./fan-out-listeners.js', import.meta.url), [url, String(LISTENERS)]);
  try {
    await once(listeners, 'message');
    const written = await write(writer, seconds);
    return [rowOf(await heardBy(listeners, written), over, written)];
  } finally {
    listeners.kill();
    await feed.close();
    await closeSockets();
    server.close();
    await writer.end();
    await store.close();
  }
}

// Writes at a fixed rate, independent of the listeners: a late batch makes the next one larger.
async function write(writer: pg.Client, seconds: number): Promise<number> {
  const from = Date.now();
  let written = 0;
  while (written < PER_SECOND * seconds) {
    const due =
      Math.min(PER_SECOND * seconds, Math.ceil(((Date.now() - from) / 1000) * PER_SECOND)) - written;
    if (due > 0) await writer.query(WRITE, [due]);
    written += Math.max(0, due);
    await new Promise((resolve) => setTimeout(resolve, BEAT_MS));
  }
  return written;
}

async function heardBy(listeners: ChildProcess, written: number): Promise<Heard> {
  for (;;) {
    listeners.send('tell');
    const [heard] = (await once(listeners, 'message')) as [Heard];
    if (heard.fewest >= written) return heard;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

function rowOf({ events, latencies }: Heard, over: string, written: number): Row {
  const share = (p: number): number => {
    let cumulative = 0;
    return latencies.findIndex((count) => (cumulative += count) >= (p / 100) * events);
  };
  const exact = events === written * LISTENERS ? 'each once' : `${events} of ${written * LISTENERS}`;
  return {
    name: `${PER_SECOND} events/s to ${LISTENERS} listeners over a ${over}, p95`,
    figure: `${share(95)} ms (p50 ${share(50)}, p99 ${share(99)}), ${exact}`,
    ratio: share(95) / 300,
    wanted: '<= 300 ms',
  };
}
