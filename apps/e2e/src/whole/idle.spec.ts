import { join } from 'node:path';
import { pause, temporaryFolder } from '@casefile/contracts/testing';
import { startRedis } from '@casefile/embedded/testing';
import { fiveServices } from '../testing/five-services.js';
import { EngineCounters } from '../testing/idle-counts.js';
import { systemDatabase } from '../testing/system-database.js';

/** Time after the start in which processes still do what they do once. Milliseconds. */
const SETTLES_MS = 15_000;
/** Time of two samples of the queues, and of two waits of an idle worker. Milliseconds. */
const COUNTED_MS = 60_000;

describe('all services in one process without work', () => {
  it('R4 R16 ask little of Redis and Postgres', async () => {
    const redis = await startRedis({ dir: join(temporaryFolder('idle'), 'redis') });
    const { url: databaseUrl, drop } = await systemDatabase();
    const system = await fiveServices({ databaseUrl, queueUrl: redis.url, services: 'one process' });
    const counters = await EngineCounters.open(redis.url, databaseUrl);
    await system.start();
    await pause(SETTLES_MS, 'what a start does once is not counted');
    const counts = await counters.during(() => pause(COUNTED_MS, 'the counts are per second'));
    await counters.close();
    await system.close();
    await drop();
    await redis.stop();
    // A slow machine can only ask less. Postgres's own vacuum adds about 0.3 commits.
    expect({ ...counts, isTooMuch: counts.commands > 40 || counts.commits > 1.5 }).toMatchObject({
      isTooMuch: false,
    });
  });
});
