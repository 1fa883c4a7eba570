import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CasefileError } from '@casefile/contracts';
import { until } from '@casefile/contracts/testing';
import { locateBinaries } from '../binaries.js';
import { startGuard } from '../embedded-postgres.js';
import { chooseRunAs, type RunAs } from '../run-as.js';
import { pidFile } from '../server-process.js';
import { SUPERUSER } from '../server-url.js';
import { createClusterIfMissing } from '../start-embedded-postgres.js';
import { freePort } from './free-port.js';

export interface PostgresOptions {
  /** Folder of data, socket and log. Created if missing. */
  dir: string;
  /** Settings of the server in addition, such as `{ max_connections: 10 }`. */
  settings?: Readonly<Record<string, string | number>>;
}

/** A private Postgres on a port of 127.0.0.1, which stays the same over restarts. Users need no password. */
export interface PostgresServer {
  readonly port: number;
  /** URL of a database, for superuser `casefile`. */
  url(database: string): string;
  /** Ends it at once, in order, and waits for its end. */
  stop(): Promise<void>;
  /** Kills it with -9 and waits for its end. */
  kill9(): Promise<void>;
  /** Starts it again, on the same port and data. */
  restart(): Promise<void>;
}

/** Starts a Postgres. @throws CasefileError `postgres_did_not_start`. */
export async function startPostgres(options: PostgresOptions): Promise<PostgresServer> {
  const { postgres, initdb } = await locateBinaries();
  await mkdir(join(options.dir, 'socket'), { recursive: true, mode: 0o700 });
  const runAs = await chooseRunAs(join(options.dir, 'data'), postgres);
  await createClusterIfMissing(runAs, initdb, false);
  const port = await freePort();
  const settings = {
    listen_addresses: '127.0.0.1',
    port,
    unix_socket_directories: join(options.dir, 'socket'),
    timezone: 'UTC',
    ...options.settings,
  };
  const words = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const start = () => launch([postgres, '-D', runAs.dataDir, ...words], runAs, join(options.dir, 'log'));
  let child = await start();
  const end = async (signal: NodeJS.Signals) => {
    if (hasEnded(child)) return;
    child.ref();
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill(signal);
    await ended;
  };
  return {
    port,
    url: (database) => `postgres://${SUPERUSER}@127.0.0.1:${port}/${encodeURIComponent(database)}`,
    stop: () => end('SIGINT'),
    kill9: () => end('SIGKILL'),
    restart: async () => {
      await end('SIGINT');
      child = await start();
    },
  };
}

/** A primary, whose commits wait for a standby that follows it. */
export interface PostgresWithStandby {
  primary: PostgresServer;
  standby: PostgresServer;
}

/** Starts a primary and its standby. Both begin as copies of one empty cluster. */
export async function startPostgresWithStandby(dir: string): Promise<PostgresWithStandby> {
  const { postgres, initdb } = await locateBinaries();
  const dirs = { primary: join(dir, 'primary'), standby: join(dir, 'standby') };
  const runAs = await chooseRunAs(join(dirs.primary, 'data'), postgres);
  await createClusterIfMissing(runAs, initdb, false);
  await cp(runAs.dataDir, join(dirs.standby, 'data'), { recursive: true });
  await writeFile(join(dirs.standby, 'data/standby.signal'), '');
  const primary = await startPostgres({
    dir: dirs.primary,
    settings: { synchronous_standby_names: '*', wal_keep_size: '256MB' },
  });
  const standby = await startPostgres({
    dir: dirs.standby,
    settings: { primary_conninfo: `host=127.0.0.1 port=${primary.port} user=${SUPERUSER}` },
  });
  return { primary, standby };
}

async function launch(words: readonly string[], runAs: RunAs, logFile: string): Promise<ChildProcess> {
  let child = spawnLogged(words, runAs, logFile);
  try {
    await until('Postgres answers', async () => {
      // After kill -9, processes of the server still use the data folder for a moment, and a start is refused.
      if (hasEnded(child)) child = spawnLogged(words, runAs, logFile);
      return isReady(child, runAs.dataDir);
    });
  } catch (cause) {
    child.kill('SIGQUIT');
    const said = (await readFile(logFile, 'utf8')).slice(-2_000);
    throw new CasefileError('postgres_did_not_start', `Postgres did not start: ${said}`, { cause });
  }
  child.unref();
  const guard = startGuard(['sh', '-c', 'kill -INT "$1"', 'sh', String(child.pid)]);
  child.once('exit', () => guard.release());
  return child;
}

function spawnLogged(words: readonly string[], { prefix, owner }: RunAs, logFile: string): ChildProcess {
  const [program = '', ...args] = [...prefix, ...words];
  const log = openSync(logFile, 'a', 0o600);
  try {
    return spawn(program, args, { stdio: ['ignore', log, log], cwd: '/', ...owner });
  } finally {
    closeSync(log);
  }
}

const hasEnded = (child: ChildProcess): boolean => child.exitCode !== null || child.signalCode !== null;

/** Returns whether the server of this process takes statements: the last line of its pid file says so. */
async function isReady({ pid }: ChildProcess, dataDir: string): Promise<boolean> {
  const lines = (await readFile(pidFile(dataDir), 'utf8').catch(() => '')).split('\n');
  return lines[0] === String(pid) && /^(ready|standby)\b/.test(lines[7] ?? '');
}
