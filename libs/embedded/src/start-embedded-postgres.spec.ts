import { silentLogger } from '@casefile/contracts';
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { until } from '@casefile/contracts/testing';
import { createDatabaseIfMissing } from './index.js';
import { isRunning } from './server-process.js';
import { urlAddress } from './server-url.js';
import { ask, embeddedServers } from './testing/embedded-servers.js';

const servers = embeddedServers();

describe('the embedded Postgres', () => {
  it('starts in an empty folder, on a private socket and nowhere else', async () => {
    const server = await servers.start();
    expect(await ask(server, 'show listen_addresses')).toEqual(['']);
    expect(await ask(server, 'show max_connections')).toEqual(['200']);
    expect(await ask(server, 'select current_user')).toEqual(['casefile']);
    const { socket } = urlAddress(server.url('postgres'));
    expect((await stat(join(socket, '..'))).mode & 0o777).toBe(0o700);
  });

  it('keeps every commit safe from a crash of the machine unless configured otherwise', async () => {
    const server = await servers.start({ durable: true });
    for (const name of ['fsync', 'synchronous_commit', 'full_page_writes']) {
      expect(await ask(server, `show ${name}`)).toEqual(['on']);
    }
  });

  it('creates a database once, whatever its name', async () => {
    const server = await servers.start();
    const name = `it's "odd"`;
    const made = await Promise.all(
      [1, 2, 3].map(() => createDatabaseIfMissing(server.url('postgres'), name)),
    );
    expect(made.filter(Boolean)).toHaveLength(1);
    expect(await createDatabaseIfMissing(server.url('postgres'), name)).toBe(false);
    expect(await ask(server, 'select current_database()', name)).toEqual([name]);
  });

  it('indexes words of every script', async () => {
    const server = await servers.start();
    await ask(server, 'create extension pg_trgm');
    expect(await ask(server, `select similarity('बैंक खाता बंद', 'बैंक खाता') > 0.3`)).toEqual(['t']);
  });

  it('keeps its data over a restart', async () => {
    const first = await servers.start();
    await ask(first, 'create table kept (n int)');
    await ask(first, 'insert into kept values (7)');
    await first.stop();
    expect(await isRunning(first.pid)).toBe(false);
    expect(await ask(await servers.start(), 'select n from kept')).toEqual(['7']);
  });

  it('comes back after kill -9 of the server, without the loss of a committed row', async () => {
    const server = await servers.start({ durable: true });
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
    const server = await servers.start({ log });
    const conf = join(servers.dir, 'data', 'postgresql.auto.conf');
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

  it('does not touch a folder with other files', async () => {
    const folder = join(servers.dir, 'letters');
    await mkdir(folder);
    await writeFile(join(folder, 'letter.txt'), 'dear');
    await expect(servers.start({ dataDir: folder })).rejects.toMatchObject({
      reasonCode: 'data_folder_in_use',
    });
    expect(await readFile(join(folder, 'letter.txt'), 'utf8')).toBe('dear');
  });

  it('says what Postgres said when it cannot start', async () => {
    await (await servers.start()).stop();
    await writeFile(join(servers.dir, 'data', 'postgresql.conf'), 'no_such_setting = 1\n');
    await expect(servers.start()).rejects.toMatchObject({
      reasonCode: 'postgres_did_not_start',
      message: expect.stringContaining('no_such_setting'),
    });
  });
});
