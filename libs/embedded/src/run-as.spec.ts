import { silentLogger } from '@casefile/contracts';
import { spawnSync } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { temporaryFolder } from '@casefile/contracts/testing';
import { locateBinaries } from './binaries.js';
import { createClusterIfMissing } from './start-embedded-postgres.js';
import { EmbeddedPostgres } from './embedded-postgres.js';
import { makePrivateFolder } from './start-embedded-postgres.js';
import { chooseRunAs } from './run-as.js';
import { urlAddress } from './server-url.js';
import { simpleQuery } from './session.js';

const asRoot = process.getuid?.() === 0 ? it : it.skip;

describe('who runs the embedded Postgres', () => {
  asRoot('is nobody in a data folder of its own where namespaces are forbidden', async () => {
    const dir = temporaryFolder('run-as');
    const { postgres, initdb } = await locateBinaries();
    // Only this user can enter the folder (0700), so the user nobody cannot reach below it.
    const runAs = await chooseRunAs(join(dir, 'data'), postgres, false);
    expect(runAs).toMatchObject({ owner: { uid: 65534, gid: 65534 }, prefix: [] });
    expect(runAs.dataDir).not.toContain(dir);
    const own = dirname(runAs.dataDir);
    try {
      await makePrivateFolder(own, runAs.owner);
      await createClusterIfMissing(runAs, initdb, false);
      const socketDir = join(own, 'socket');
      await makePrivateFolder(socketDir, runAs.owner);
      const settings = { postgres, runAs, socketDir, port: 5432, maxConnections: 20, durable: false };
      const server = await EmbeddedPostgres.start(settings, silentLogger);
      try {
        expect(await simpleQuery(urlAddress(server.url('postgres')), 'select 1')).toEqual(['1']);
        expect(
          spawnSync('ps', ['-o', 'uid=', '-p', String(server.pid)], { encoding: 'utf8' }).stdout.trim(),
        ).toBe('65534');
      } finally {
        await server.stop();
      }
    } finally {
      await rm(own, { recursive: true, force: true });
    }
  });

  asRoot('takes the same folder for the same data folder every time', async () => {
    const { postgres } = await locateBinaries();
    const [one, two, other] = await Promise.all(
      ['/root/a/data', '/root/a/data', '/root/b/data'].map((folder) => chooseRunAs(folder, postgres, false)),
    );
    expect(one?.dataDir).toBe(two?.dataDir);
    expect(one?.dataDir).not.toBe(other?.dataDir);
  });
});
