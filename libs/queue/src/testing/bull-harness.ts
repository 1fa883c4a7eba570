import { silentLogger, type Queue } from '@casefile/contracts';
import pg from 'pg';
import { Redis } from 'ioredis';
import { of } from 'rxjs';
import { createAlertSender } from '../alert-sender.js';
import { BullMqQueue } from '../bull-queue.js';
import type { BullMqContext } from '../bullmq-context.js';
import { BullMqServer } from '../bullmq-server.js';
import { connectQueueStore } from '../connect-queue-store.js';
import { STAGES, TOOLS, UNTAKEN, type Handle, type QueueHarness } from './queue-harness.js';

/** Counter that, with the process id, names the databases of one test run. */
let made = 0;
const unique = () => `casefile_queue_${process.pid}_${(made += 1)}`;

function testServer(name: 'CASEFILE_TEST_POSTGRES' | 'CASEFILE_TEST_REDIS'): string {
  const url = process.env[name];
  if (url === undefined) throw new Error(`${name} is not set: run through jest's global set-up`);
  return url;
}

/** A separate store for one test. */
export interface Scratch {
  url: string;
  /** Prefix of all keys on Redis. */
  prefix?: string;
  empty(): Promise<void>;
  drop(): Promise<void>;
}

/** Returns separate keys on the shared Redis. Emptying removes all of them. */
export async function redisScratch(): Promise<Scratch> {
  const url = testServer('CASEFILE_TEST_REDIS');
  const prefix = unique();
  const redis = new Redis(url);
  const empty = async () => {
    const keys = await redis.keys(`${prefix}:*`);
    if (keys.length > 0) await redis.unlink(keys);
  };
  const drop = async () => {
    await empty();
    redis.disconnect();
  };
  return { url, prefix, empty, drop };
}

/** Returns a separate Postgres database. Emptying truncates all tables except the schema's version. */
export async function postgresScratch(): Promise<Scratch> {
  const server = new pg.Client(testServer('CASEFILE_TEST_POSTGRES'));
  await server.connect();
  const name = unique();
  await server.query(`create database ${name}`);
  const url = new URL(testServer('CASEFILE_TEST_POSTGRES'));
  url.pathname = name;
  return {
    url: url.href,
    empty: async () => {
      const client = new pg.Client(url.href);
      await client.connect();
      const { rows } = await client.query<{ tables: string }>(
        `select string_agg(format('bullmq.%I', tablename), ', ') tables from pg_tables
         where schemaname = 'bullmq' and tablename <> 'migration'`,
      );
      await client.query(`truncate ${rows[0]?.tables}`);
      await client.end();
    },
    drop: async () => {
      await server.query(`drop database ${name} with (force)`);
      await server.end();
    },
  };
}

/** Attempts of the harness's jobs. Sixty attempts would take a minute. */
const ATTEMPTS = 3;

/** Returns the BullMQ queue on a scratch store, with few and quick attempts. */
export async function bullHarness(scratch: Scratch): Promise<QueueHarness> {
  const connection = await connectQueueStore(scratch.url, { log: silentLogger, prefix: scratch.prefix });
  const queue = new BullMqQueue({
    connection,
    stages: STAGES,
    tools: TOOLS,
    untakenVerdicts: UNTAKEN,
    wakeUpOptions: { attempts: ATTEMPTS, backoff: { type: 'fixed', delay: 10 } },
  });
  const sender = createAlertSender(connection);
  return {
    queue: queue satisfies Queue,
    attempts: ATTEMPTS,
    empty: scratch.empty,
    addAlert: async (body, id) => void (await sender.send([{ body: body as { text: string }, id }])),
    consume: async (handlers) => {
      const topics = Object.fromEntries(Object.keys(handlers).map((topic) => [topic, { live: 1, bulk: 1 }]));
      const server = new BullMqServer({ connection, topics, log: silentLogger, graceMs: 10_000 });
      addHandlers(server, handlers);
      await listening(server);
      return server;
    },
    close: async () => {
      await queue.close();
      await sender.close();
      await connection.close();
      await scratch.drop();
    },
  };
}

/** Registers plain functions as Nest would. */
export function addHandlers(server: BullMqServer, handlers: Record<string, Handle>): void {
  for (const [topic, handle] of Object.entries(handlers)) {
    const handler = async (payload: unknown, context: BullMqContext) =>
      of(await handle(payload, context.job));
    server.addHandler(topic, handler, true);
  }
}

export function listening(server: BullMqServer): Promise<void> {
  return new Promise((resolve, reject) =>
    server.listen((error) => (error === undefined ? resolve() : reject(error))),
  );
}
