import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '@casefile/contracts/testing';
import { testDatabase, type TestDatabase } from '@casefile/store/testing';
import { serviceProcesses, type ServiceProcess } from './testing/service-processes.js';

/** Loaded before the service: throws, or rejects, where no handler can catch it, on request. */
const PLANTED = `process.once('SIGUSR2', () => setTimeout(() => { throw new Error('planted exception'); }));
process.once('SIGWINCH', () => void Promise.reject(new Error('planted rejection')));`;

let database: TestDatabase;
let service: ServiceProcess;
const logFile = join(temporaryFolder('uncaught'), 'service.log');
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(async () => {
  await service.signal('SIGKILL');
  await database.drop();
});

describe('a service process with an uncaught error', () => {
  it.each([
    ['exception', 'SIGUSR2'],
    ['rejection', 'SIGWINCH'],
  ] as const)(
    'E-01 logs the reason of an uncaught error (%s), stops in order and ends with 1',
    async (kind, signal) => {
      const settings = {
        databaseUrl: database.url,
        queueUrl: database.url,
        logFile,
        execArgv: ['--import', `data:text/javascript,${encodeURIComponent(PLANTED)}`],
      };
      const [made] = await serviceProcesses(['decision'], settings);
      if (made === undefined) throw new Error('no service');
      service = made;
      await service.start();
      expect(await service.signal(signal)).toBe(1);
      const lines = readFileSync(logFile, 'utf8').split('\n');
      const at = (text: string) => lines.findLastIndex((line) => line.includes(text));
      expect(lines[at('nothing caught this')]).toContain(`planted ${kind}`);
      // In order: what is under way first, connections last.
      expect(at('nothing caught this')).toBeLessThan(at('"msg":"stopping"'));
      expect(at('"msg":"stopping"')).toBeLessThan(at('"msg":"stopped"'));
    },
    300_000,
  );
});
