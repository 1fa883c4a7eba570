import { spawn, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { createConnection } from 'node:net';
import { join } from 'node:path';
import { temporaryFolder, until } from '@casefile/contracts/testing';
import { chooseRunAs, freePort, installed } from '@casefile/embedded/testing';

const PROGRAM = '/usr/sbin/pgbouncer';

/** A pooler in front of a database. */
export interface Pooler {
  /** Address of the same database through the pooler. */
  url: string;
  stop(): Promise<void>;
}

/** Starts Debian's PgBouncer in front of the database of a URL, without passwords, on the loopback interface. */
export async function startPgbouncer(databaseUrl: string, mode: 'transaction' | 'session'): Promise<Pooler> {
  if (!installed('pgbouncer', () => spawnSync(PROGRAM, ['--version'], { stdio: 'ignore' }).status === 0))
    throw new Error('expected the program pgbouncer (Debian: apt-get install pgbouncer)');
  const folder = temporaryFolder('pgbouncer');
  const port = await freePort();
  const { pathname, searchParams, username, password, hostname, port: serverPort } = new URL(databaseUrl);
  const name = decodeURIComponent(pathname.slice(1));
  const server = [
    `host=${searchParams.get('host') ?? hostname}`,
    `port=${serverPort || searchParams.get('port') || 5_432}`,
    `dbname=${name}`,
    `user=${decodeURIComponent(username)}`,
    ...(password === '' ? [] : [`password=${decodeURIComponent(password)}`]),
  ];
  const file = join(folder, 'pgbouncer.ini');
  const settings = [
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'auth_type = any',
    `pool_mode = ${mode}`,
    'default_pool_size = 20',
    'max_client_conn = 500',
  ];
  writeFileSync(
    file,
    ['[databases]', `${name} = ${server.join(' ')}`, '[pgbouncer]', ...settings, ''].join('\n'),
  );
  // As Postgres, it refuses to run as root, and it has to reach the private folder of the server's socket.
  const { prefix, owner } = await chooseRunAs(folder, PROGRAM);
  const [command = '', ...args] = [...prefix, PROGRAM, file];
  const child = spawn(command, args, { stdio: 'ignore', ...owner });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  await until('the pooler takes connections', () => child.exitCode !== null || connects(port));
  if (child.exitCode !== null) throw new Error(`pgbouncer ended with exit code ${child.exitCode}`);
  return {
    url: `postgres://casefile@127.0.0.1:${port}/${name}`,
    stop: async () => {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

function connects(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection({ port, host: '127.0.0.1' }, () => (socket.destroy(), resolve(true)));
    socket.on('error', () => resolve(false));
  });
}
