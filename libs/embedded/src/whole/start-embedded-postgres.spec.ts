import { silentLogger } from '@casefile/contracts';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pause, until } from '@casefile/contracts/testing';
import { isRunning, pidFile, readPostmaster } from '../server-process.js';
import { urlAddress } from '../server-url.js';
import { ask, embeddedServers } from '../testing/embedded-servers.js';

const servers = embeddedServers();
const SLEEPERS = `select count(*) from pg_stat_activity where query like 'select pg_sleep%'`;

describe('the embedded Postgres beside other processes', () => {
  it('E-08 is watched and started again also when it ran before us', async () => {
    const first = await servers.start();
    const second = await servers.start();
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
    const first = await servers.start();
    const atWork = ask(first, 'select pg_sleep(600)').catch(() => 'cut off');
    await until('a client is at work', async () => Number((await ask(first, SLEEPERS))[0]) === 1);
    // A smart shutdown: it accepts no new clients and waits for the connected ones.
    process.kill(first.pid, 'SIGTERM');
    const told: string[] = [];
    const log = { ...silentLogger, warn: (_facts: object, message: string) => void told.push(message) };
    const next = servers.start({ log });
    await until('the start reports that it waits', () => told.length > 0);
    process.kill(first.pid, 'SIGINT');
    expect(await atWork).toBe('cut off');
    expect(await ask(await next, 'select 1')).toEqual(['1']);
    expect(told).toEqual([expect.stringContaining('this start waits for it')]);
  });

  it('starts over a pid file whose number now is another process', async () => {
    const first = await servers.start();
    const before = await readFile(pidFile(join(servers.dir, 'data')), 'utf8');
    await first.stop();
    await writeFile(pidFile(join(servers.dir, 'data')), before.replace(/^\d+/, String(process.pid)));
    const second = await servers.start();
    expect((await readPostmaster(join(servers.dir, 'data')))?.pid).toBe(second.pid);
    expect(second.pid).not.toBe(process.pid);
  });

  it('starts over a pid file that names a zombie', async () => {
    const first = await servers.start();
    const before = await readFile(pidFile(join(servers.dir, 'data')), 'utf8');
    await first.stop();
    // A shell that never waits for its child: the child stays a zombie as long as the shell sleeps.
    const parent = spawn('sh', ['-c', 'true & echo $!; exec sleep 30'], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    try {
      const [line] = (await once(parent.stdout, 'data')) as [Buffer];
      const zombie = Number(line.toString());
      await until('the child is a zombie', async () => !(await isRunning(zombie)));
      await writeFile(pidFile(join(servers.dir, 'data')), before.replace(/^\d+/, String(zombie)));
      const starting = servers.start();
      await pause(200, 'The start finds the zombie.');
      parent.kill('SIGKILL');
      expect(await ask(await starting, 'select 1')).toEqual(['1']);
    } finally {
      parent.kill('SIGKILL');
    }
  });

  it('takes a short socket path when the folder is too deep', async () => {
    const deep = join(servers.dir, 'a'.repeat(80), 'b'.repeat(80), 'data');
    await mkdir(join(deep, '..'), { recursive: true });
    await rename(join(servers.dir, 'data'), deep);
    const server = await servers.start({ dataDir: deep });
    const { socket } = urlAddress(server.url('postgres'));
    expect(Buffer.byteLength(socket)).toBeLessThan(107);
    expect(await ask(server, 'select 1')).toEqual(['1']);
    const again = await servers.start({ dataDir: deep });
    expect(again.url('postgres')).toBe(server.url('postgres'));
    await server.stop();
    await rm(join(socket, '..'), { recursive: true, force: true });
    await rename(deep, join(servers.dir, 'data'));
  });
});
