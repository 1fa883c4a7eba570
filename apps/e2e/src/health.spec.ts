import { join } from 'node:path';
import { temporaryFolder } from '@casefile/contracts/testing';
import { testDatabase } from '@casefile/store/testing';
import { allowWrites } from './testing/allow-writes.js';
import { serviceProcesses } from './testing/service-processes.js';
import { realWorld } from './testing/world.js';

interface Deployment {
  url: string;
  databaseUrl: string;
  close(): Promise<void>;
}

async function oneProcess(): Promise<Deployment> {
  const { platform, ingestUrl, close } = await realWorld(null, null);
  return { url: ingestUrl!, databaseUrl: platform.config.databaseUrl!, close };
}

async function processEach(): Promise<Deployment> {
  const database = await testDatabase();
  const logFile = join(temporaryFolder('health'), 'service.log');
  const urls = { databaseUrl: database.url, queueUrl: database.url };
  const [decision] = await serviceProcesses(['decision'], { ...urls, logFile });
  await decision!.start();
  const close = async () => {
    await decision!.signal('SIGTERM');
    await database.drop();
  };
  return { url: decision!.url, databaseUrl: database.url, close };
}

/** Asks until the probe answers with this status. */
async function answered(url: string, probe: string, status: number): Promise<string> {
  for (;;) {
    const answer = await fetch(`${url}/health/${probe}`);
    const body = await answer.text();
    if (answer.status === status) return body;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

// Hangs, and fails by the limit of the test, where the answer does not change.
it.each([
  ['all services in one process', oneProcess],
  ['a process a service', processEach],
])(
  'E-08 %s: is not ready while the database can be read but not written, says why, and is ready again afterwards',
  async (_name, start) => {
    const { url, databaseUrl, close } = await start();
    try {
      await answered(url, 'ready', 200);
      await allowWrites(databaseUrl, false);
      // Connections that were ended may be what it notices first.
      const because = /"detail":"[^"]*the store takes no writes: [^"]*read-only transaction/;
      while (!because.test(await answered(url, 'ready', 503)));
      // A restart would not help.
      expect((await fetch(`${url}/health/live`)).status).toBe(200);
      await allowWrites(databaseUrl, true);
      await answered(url, 'ready', 200);
    } finally {
      await allowWrites(databaseUrl, true);
      await close();
    }
  },
  400_000,
);
