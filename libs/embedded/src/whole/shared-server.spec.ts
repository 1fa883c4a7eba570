import { silentLogger } from '@casefile/contracts';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { temporaryFolder, until, pause } from '@casefile/contracts/testing';
import type { EmbeddedPostgres } from '../embedded-postgres.js';
import { createDatabaseIfMissing, startEmbeddedPostgres } from '../index.js';
import { isRunning, readPostmaster } from '../server-process.js';
import { urlAddress } from '../server-url.js';
import { Session, simpleQuery } from '../session.js';

let dir: string;
const started: EmbeddedPostgres[] = [];

const start = async (dataDir = join(dir, 'data')) => {
  const server = await startEmbeddedPostgres({ dataDir, durable: false, log: silentLogger });
  started.push(server);
  return server;
};
const ask = (server: EmbeddedPostgres, sql: string) => simpleQuery(urlAddress(server.url('postgres')), sql);
const hasEnded = (pid: number) => until('the server has ended', async () => !(await isRunning(pid)));

/** Times at which the guard of an ended process counted the clients of the server. */
const CLIENT_COUNTS = `select query_start::text from pg_stat_activity
  where pid <> pg_backend_pid() and query like 'select count(*) from pg_stat_activity%'`;

// The launchers and the guard run from dist.
beforeAll(async () => {
  const tool = new URL('../../../../tools/build.mjs', import.meta.url).href;
  const { build } = (await import(tool)) as { build(only: string[]): Promise<number> };
  await build(['libs/contracts', 'libs/embedded']);
  dir = temporaryFolder('shared');
});

afterEach(async () => {
  for (const server of started.splice(0).reverse()) await server.stop();
});

describe('the embedded Postgres of several processes', () => {
  it.each(['SIGKILL', 'SIGTERM', 'SIGHUP'] as const)(
    'ends when its launcher is ended by %s without having stopped it',
    async (signal) => {
      const { pid, launcher } = await launched();
      launcher.kill(signal);
      await once(launcher, 'exit');
      await hasEnded(pid);
    },
  );

  it('ends when its launcher is killed with -9 while the server starts', async () => {
    const launcher = spawn(process.execPath, launcherArgs(), { stdio: 'ignore' });
    let pid = 0;
    await until(
      'the server starts',
      async () => (pid = (await readPostmaster(join(dir, 'data')))?.pid ?? 0) > 0,
    );
    launcher.kill('SIGKILL');
    await once(launcher, 'exit');
    await hasEnded(pid);
  });

  it('serves the next start when its launcher was killed with -9, and ends with its last user', async () => {
    const { launcher } = await launched();
    const next = await start();
    launcher.kill('SIGKILL');
    await once(launcher, 'exit');
    expect(await ask(next, 'select 1')).toEqual(['1']);
    await next.stop();
    expect(await isRunning(next.pid)).toBe(false);
  });

  it('waits for clients that are not users when its launcher was killed with -9', async () => {
    const { pid, url, launcher } = await launched();
    const client = await Session.open(urlAddress(url));
    await client.query(`set application_name = 'a service'`);
    launcher.kill('SIGKILL');
    await once(launcher, 'exit');
    const counts = new Set<string>();
    await until('the guard has counted the clients three times', async () => {
      for (const time of await client.query(CLIENT_COUNTS)) counts.add(time);
      return counts.size >= 3;
    });
    expect(await isRunning(pid)).toBe(true);
    client.close();
    await hasEnded(pid);
  });

  it('is started once by two starts at once, and whichever stops first leaves it to the other', async () => {
    const dataDir = join(dir, 'fresh');
    const [one, two] = await Promise.all([start(dataDir), start(dataDir)]);
    expect(one.pid).toBe(two.pid);
    expect([one.startedHere, two.startedHere].sort()).toEqual([false, true]);
    const [starter, other] = one.startedHere ? [one, two] : [two, one];
    await starter.stop();
    expect(await ask(other, 'select 1')).toEqual(['1']);
    await other.stop();
    expect(await isRunning(other.pid)).toBe(false);
  });

  it('starts although its server is asked to stop before it was joined, as by the late guard of a killed process', async () => {
    const asked = (async () => {
      let pid = 0;
      const starts = async () => {
        pid = (await readPostmaster(join(dir, 'data')))?.pid ?? 0;
        return pid > 0 && (await isRunning(pid));
      };
      await until('the server starts', starts, 1);
      process.kill(pid, 'SIGINT');
    })();
    const server = await start();
    await asked;
    expect(await ask(server, 'select 1')).toEqual(['1']);
  });

  it('can be used after every start that comes right after a stop', async () => {
    let last = await start();
    for (let round = 0; round < 8; round += 1) {
      const before = last;
      const stopping = pause(round * 5, 'Each round stops at another moment of the start.').then(() =>
        before.stop(),
      );
      last = await start();
      expect(await createDatabaseIfMissing(last.url('postgres'), `round_${round}`)).toBe(true);
      await stopping;
    }
  });
});

/** A separate process that starts a server, prints its process id and URL, and never ends on its own. */
const LAUNCHER = `
  import { startEmbeddedPostgres } from '${new URL('../../dist/index.js', import.meta.url).href}';
  const log = { debug() {}, info() {}, warn() {}, error() {}, child: () => log };
  const server = await startEmbeddedPostgres({ dataDir: process.argv[1], durable: false, log });
  console.log(JSON.stringify({ pid: server.pid, url: server.url('postgres') }));
  setInterval(() => {}, 1000);
`;

function launcherArgs(): string[] {
  return ['--input-type=module', '-e', LAUNCHER, join(dir, 'data')];
}

async function launched() {
  const launcher = spawn(process.execPath, launcherArgs(), { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(launcher, 'exit').then(([code]) => {
    throw new Error(`the launcher ended with ${String(code)} before its server answered`);
  });
  const [line] = (await Promise.race([once(launcher.stdout, 'data'), ended])) as [Buffer];
  ended.catch(() => undefined);
  return { launcher, ...(JSON.parse(line.toString()) as { pid: number; url: string }) };
}
