import { join } from 'node:path';
import { temporaryFolder, until } from '@casefile/contracts/testing';
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

/** Waits until the service answers whether it is ready with this status and text. */
async function readiness(url: string, status: number, text = /(?:)/): Promise<void> {
  let last = '';
  await until(
    () => `${status} ${text}, not ${last}`,
    async () => {
      const answer = await fetch(`${url}/health/ready`);
      const body = await answer.text();
      last = `${answer.status} ${body}`;
      return answer.status === status && text.test(body);
    },
  );
}

it.each([
  ['all services in one process', oneProcess],
  ['a process a service', processEach],
])(
  'E-08 %s: is not ready while the database can be read but not written, says why, and is ready again afterwards',
  async (_name, start) => {
    const { url, databaseUrl, close } = await start();
    try {
      await readiness(url, 200);
      await allowWrites(databaseUrl, false);
      // Connections that were ended may be what it notices first.
      const because = /"detail":"[^"]*the store takes no writes: [^"]*read-only transaction/;
      await readiness(url, 503, because);
      // A restart would not help.
      expect((await fetch(`${url}/health/live`)).status).toBe(200);
      await allowWrites(databaseUrl, true);
      await readiness(url, 200);
    } finally {
      await allowWrites(databaseUrl, true);
      await close();
    }
  },
  400_000,
);
