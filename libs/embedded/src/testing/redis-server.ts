import { CasefileError } from '@casefile/contracts';
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createConnection } from 'node:net';
import { until } from '@casefile/contracts/testing';
import { startGuard } from '../embedded-postgres.js';
import { freePort } from './free-port.js';
import { redisBinary } from './redis-binary.js';

export interface RedisOptions {
  /** Folder of the append-only file. Created if missing. */
  dir: string;
  /** Port on 127.0.0.1. Default: a free one. It stays the same over restarts. */
  port?: number;
  /** Settings of the server in addition, such as `{ 'cluster-enabled': 'yes' }`. */
  settings?: Readonly<Record<string, string | number>>;
  /** Whether its settings make it speak TLS. The URL names it as `redis` in any case. */
  isEncrypted?: boolean;
  /** Makes it a sentinel that watches one master under a name. Default: it is a store. */
  watches?: { master: string; port: number };
}

/** A private Redis. */
export interface RedisServer {
  readonly url: string;
  readonly pid: number;
  /** Ends it in order and waits for its end. */
  stop(): Promise<void>;
  /** Kills it with -9 and waits for its end. */
  kill9(): Promise<void>;
  /** Starts it again, on the same port and data. */
  restart(): Promise<void>;
}

/**
 * Starts Debian's redis-server on the loopback interface, configured for BullMQ: nothing is evicted, every
 * write is logged.
 * @throws CasefileError `redis_missing`, `redis_did_not_start`.
 */
export async function startRedis(options: RedisOptions): Promise<RedisServer> {
  const { dir, port } = options;
  await mkdir(dir, { recursive: true });
  const at = port ?? (await freePort());
  const args = options.watches === undefined ? storeArgs(options, at) : await sentinelArgs(options, at);
  let child = await launch(args, at, options);
  const end = async (signal: NodeJS.Signals) => {
    if (hasEnded(child)) return;
    child.ref();
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill(signal);
    await ended;
  };
  return {
    url: `redis://127.0.0.1:${at}`,
    get pid() {
      return child.pid ?? 0;
    },
    stop: () => end('SIGTERM'),
    kill9: () => end('SIGKILL'),
    restart: async () => {
      await end('SIGTERM');
      child = await launch(args, at, options);
    },
  };
}

function storeArgs({ dir, settings }: RedisOptions, port: number): string[] {
  const options = {
    port,
    bind: '127.0.0.1',
    dir,
    appendonly: 'yes',
    'maxmemory-policy': 'noeviction',
    save: '',
    ...settings,
  };
  return Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)]);
}

/** A sentinel keeps its state in its settings file. It counts the master as gone after half a second. */
async function sentinelArgs({ dir, watches }: RedisOptions, port: number): Promise<string[]> {
  const file = join(dir, 'sentinel.conf');
  const lines = [
    `port ${port}`,
    'bind 127.0.0.1',
    `dir ${dir}`,
    `sentinel monitor ${watches?.master} 127.0.0.1 ${watches?.port} 1`,
    `sentinel down-after-milliseconds ${watches?.master} 500`,
    `sentinel failover-timeout ${watches?.master} 5000`,
  ];
  await writeFile(file, lines.join('\n'));
  return [file, '--sentinel'];
}

async function launch(
  args: readonly string[],
  port: number,
  { isEncrypted = false }: RedisOptions,
): Promise<ChildProcess> {
  const child = spawn(redisBinary(), args, { stdio: ['ignore', 'pipe', 'ignore'] });
  let said = '';
  child.stdout.on('data', (chunk: Buffer) => (said = (said + chunk.toString()).slice(-2_000)));
  child.on('error', (error) => (said += error.message));
  try {
    await until('redis-server answers', async () => hasEnded(child) || (await answers(port, isEncrypted)));
    if (hasEnded(child)) throw new Error('redis-server ended as it started');
  } catch (cause) {
    child.kill('SIGKILL');
    throw new CasefileError('redis_did_not_start', `redis-server did not start: ${said.trim()}`, { cause });
  }
  child.unref();
  unrefStream(child.stdout);
  const guard = startGuard(['sh', '-c', 'kill -TERM "$1"', 'sh', String(child.pid)]);
  child.once('exit', () => guard.release());
  return child;
}

/** The open pipe must not keep a test process alive. */
function unrefStream(stream: object): void {
  if ('unref' in stream && typeof stream.unref === 'function') stream.unref();
}

const hasEnded = (child: ChildProcess): boolean => child.exitCode !== null || child.signalCode !== null;

/** An encrypted one counts as ready when it takes a connection. */
function answers(port: number, isEncrypted: boolean): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection({ port, host: '127.0.0.1' }, () =>
      isEncrypted ? finish(true) : socket.write('PING\r\n'),
    );
    const finish = (answer: boolean) => {
      socket.destroy();
      resolve(answer);
    };
    socket.setTimeout(1_000, () => finish(false));
    socket.on('error', () => finish(false));
    socket.on('data', (data) => finish(data.toString().startsWith('+PONG')));
  });
}
