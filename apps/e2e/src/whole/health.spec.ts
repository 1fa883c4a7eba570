import { join } from 'node:path';
import { temporaryFolder } from '@casefile/contracts/testing';
import { testDatabase } from '@casefile/store/testing';
import { isReadyToWrite } from '../health.suite.js';
import { serviceProcesses } from '../testing/service-processes.js';

describe('a service in a process of its own', () =>
  isReadyToWrite(async () => {
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
  }));
