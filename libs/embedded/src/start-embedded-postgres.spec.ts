import { silentLogger, type Logger } from '@casefile/contracts';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pause, temporaryFolder, until } from '@casefile/contracts/testing';
import type { EmbeddedPostgres } from './embedded-postgres.js';
import { createDatabaseIfMissing, startEmbeddedPostgres } from './index.js';
import { isRunning, pidFile, readPostmaster } from './server-process.js';
import { urlAddress } from './server-url.js';
import { simpleQuery } from './session.js';

let dir: string;
const started: EmbeddedPostgres[] = [];

const start = async (over: { dataDir?: string; durable?: boolean; log?: Logger } = {}) => {
  const server = await startEmbeddedPostgres({
    dataDir: join(dir, 'data'),
    durable: false,
    log: silentLogger,
    ...over,
  });
  started.push(server);
  return server;
};
const ask = (server: EmbeddedPostgres, sql: string, database = 'postgres') =>
  simpleQuery(urlAddress(server.url(database)), sql);
const SLEEPERS = `select count(*) from pg_stat_activity where query like 'select pg_sleep%'`;

/** Creating a cluster takes most of a start, so all tests share one unless they create their own. */
beforeAll(async () => {
  dir = temporaryFolder('embedded');
});

afterEach(async () => {
  for (const server of started.splice(0).reverse()) await server.stop();
});

describe('the embedded Postgres', () => {
  it('starts in an empty folder, on a private socket and nowhere else', async () => {
    const server = await start();
    expect(await ask(server, 'show listen_addresses')).toEqual(['']);
    expect(await ask(server, 'show max_connections')).toEqual(['200']);
    expect(await ask(server, 'select current_user')).toEqual(['casefile']);
    const { socket } = urlAddress(server.url('postgres'));
    expect((await stat(join(socket, '..'))).mode & 0o777).toBe(0o700);
  });

  it('keeps every commit safe from a crash of the machine unless configured otherwise', async () => {
    const server = await start({ durable: true });
    for (const name of ['fsync', 'synchronous_commit', 'full_page_writes']) {
      expect(await ask(server, `show ${name}`)).toEqual(['on']);
    }
  });

  it('creates a database once, whatever its name', async () => {
    const server = await start();
    const name = `it's "odd"`;
    const made = await Promise.all(
      [1, 2, 3].map(() => createDatabaseIfMissing(server.url('postgres'), name)),
    );
    expect(made.filter(Boolean)).toHaveLength(1);
    expect(await createDatabaseIfMissing(server.url('postgres'), name)).toBe(false);
    expect(await ask(server, 'select current_database()', name)).toEqual([name]);
  });

  it('indexes words of every script', async () => {
    const server = await start();
    await ask(server, 'create extension pg_trgm');
    expect(await ask(server, `select similarity('बैंक खाता बंद', 'बैंक खाता') > 0.3`)).toEqual(['t']);
  });

  it('keeps its data over a restart', async () => {
    const first = await start();
    await ask(first, 'create table kept (n int)');
    await ask(first, 'insert into kept values (7)');
    await first.stop();
    expect(await isRunning(first.pid)).toBe(false);
    expect(await ask(await start(), 'select n from kept')).toEqual(['7']);
  });

  it('comes back after kill -9 of the server, without the loss of a committed row', async () => {
    const server = await start({ durable: true });
    await ask(server, 'create table counted (n int)');
    const killed = server.pid;
    let committed = 0;
    const writing = (async () => {
      // Fails when the server is killed.
      for (; committed < Infinity; committed += 1)
        await ask(server, `insert into counted values (${committed + 1})`);
    })();
    await until('20 rows are committed', () => committed >= 20);
    process.kill(killed, 'SIGKILL');
    await expect(writing).rejects.toMatchObject({ reasonCode: expect.stringMatching(/^postgres_/) });
    await until('the server runs again', () => server.pid !== killed);
    const rows = (await ask(server, 'select n from counted')).map(Number);
    for (let n = 1; n <= committed; n += 1) expect(rows).toContain(n);
  });

  it('E-08 is started again until it lives, when its first restart fails, and says how long it has been gone', async () => {
    const failures: unknown[] = [];
    const log = {
      ...silentLogger,
      error: (facts: object) => void ('nextTryMs' in facts && failures.push(facts)),
    };
    const server = await startEmbeddedPostgres({ dataDir: join(dir, 'data'), durable: false, log });
    started.push(server);
    const conf = join(dir, 'data', 'postgresql.auto.conf');
    const kept = await readFile(conf, 'utf8');
    await writeFile(conf, `${kept}\nno_such_setting_at_all = 1\n`);
    const killed = server.pid;
    expect(server.goneForMs()).toBe(0);
    process.kill(killed, 'SIGKILL');
    await until('two restarts have failed', () => failures.length >= 2);
    // The two waits between its death and the second try.
    expect(server.goneForMs()).toBeGreaterThan(500);
    expect(failures).toMatchObject([{ nextTryMs: 400 }, { nextTryMs: 800 }]);
    await writeFile(conf, kept);
    await until('the server runs again', async () => server.pid !== killed && (await isRunning(server.pid)));
    expect(await ask(server, 'select 1')).toEqual(['1']);
    expect(server.goneForMs()).toBe(0);
  });

  it('E-08 is watched and started again also when it ran before us', async () => {
    const first = await start();
    const second = await start();
    expect([first.startedHere, second.startedHere]).toEqual([true, false]);
    const killed = second.pid;
    process.kill(killed, 'SIGKILL');
    await until(
      'the server runs again',
      async () => second.pid !== killed && first.pid === second.pid && (await isRunning(second.pid)),
    );
    expect(await ask(second, 'select 1')).toEqual(['1']);
  });

  it('says that it waits for a server of another process to end, once, and then starts', async () => {
    const first = await start();
    const atWork = ask(first, 'select pg_sleep(600)').catch(() => 'cut off');
    await until('a client is at work', async () => Number((await ask(first, SLEEPERS))[0]) === 1);
    // A smart shutdown: it accepts no new clients and waits for the connected ones.
    process.kill(first.pid, 'SIGTERM');
    const told: string[] = [];
    const log = { ...silentLogger, warn: (_facts: object, message: string) => void told.push(message) };
    const next = start({ log });
    await until('the start reports that it waits', () => told.length > 0);
    process.kill(first.pid, 'SIGINT');
    expect(await atWork).toBe('cut off');
    expect(await ask(await next, 'select 1')).toEqual(['1']);
    expect(told).toEqual([expect.stringContaining('this start waits for it')]);
  });

  it('starts over a pid file whose number now is another process', async () => {
    const first = await start();
    const before = await readFile(pidFile(join(dir, 'data')), 'utf8');
    await first.stop();
    await writeFile(pidFile(join(dir, 'data')), before.replace(/^\d+/, String(process.pid)));
    const second = await start();
    expect((await readPostmaster(join(dir, 'data')))?.pid).toBe(second.pid);
    expect(second.pid).not.toBe(process.pid);
  });

  it('starts over a pid file that names a zombie', async () => {
    const first = await start();
    const before = await readFile(pidFile(join(dir, 'data')), 'utf8');
    await first.stop();
    // A shell that never waits for its child: the child stays a zombie as long as the shell sleeps.
    const parent = spawn('sh', ['-c', 'true & echo $!; exec sleep 30'], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    try {
      const [line] = (await once(parent.stdout, 'data')) as [Buffer];
      const zombie = Number(line.toString());
      await until('the child is a zombie', async () => !(await isRunning(zombie)));
      await writeFile(pidFile(join(dir, 'data')), before.replace(/^\d+/, String(zombie)));
      const starting = start();
      await pause(200, 'The start finds the zombie.');
      parent.kill('SIGKILL');
      expect(await ask(await starting, 'select 1')).toEqual(['1']);
    } finally {
      parent.kill('SIGKILL');
    }
  });

  it('takes a short socket path when the folder is too deep', async () => {
    const deep = join(dir, 'a'.repeat(80), 'b'.repeat(80), 'data');
    await mkdir(join(deep, '..'), { recursive: true });
    await rename(join(dir, 'data'), deep);
    const server = await start({ dataDir: deep });
    const { socket } = urlAddress(server.url('postgres'));
    expect(Buffer.byteLength(socket)).toBeLessThan(107);
    expect(await ask(server, 'select 1')).toEqual(['1']);
    const again = await start({ dataDir: deep });
    expect(again.url('postgres')).toBe(server.url('postgres'));
    await server.stop();
    await rm(join(socket, '..'), { recursive: true, force: true });
    await rename(deep, join(dir, 'data'));
  });

  it('does not touch a folder with other files', async () => {
    const folder = join(dir, 'letters');
    await mkdir(folder);
    await writeFile(join(folder, 'letter.txt'), 'dear');
    await expect(start({ dataDir: folder })).rejects.toMatchObject({ reasonCode: 'data_folder_in_use' });
    expect(await readFile(join(folder, 'letter.txt'), 'utf8')).toBe('dear');
  });

  it('says what Postgres said when it cannot start', async () => {
    await (await start()).stop();
    await writeFile(join(dir, 'data', 'postgresql.conf'), 'no_such_setting = 1\n');
    await expect(start()).rejects.toMatchObject({
      reasonCode: 'postgres_did_not_start',
      message: expect.stringContaining('no_such_setting'),
    });
  });
});
