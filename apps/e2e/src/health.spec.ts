import { isReadyToWrite } from './health.suite.js';
import { realWorld } from './testing/world.js';

describe('all services in one process', () =>
  isReadyToWrite(async () => {
    const { platform, ingestUrl, close } = await realWorld('inline', null);
    return { url: ingestUrl!, databaseUrl: platform.config.databaseUrl!, close };
  }));
