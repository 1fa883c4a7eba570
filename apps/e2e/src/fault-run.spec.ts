import { testDatabase } from '@casefile/store/testing';
import { emptyQueue } from './fault-run/empty-queue.js';
import { runFaults } from './fault-run/run-faults.js';
import { testRedis } from './testing/redis-database.js';

// The same run at full size, by hand: `node tools/fault-run.mjs`.
describe.each([
  ['Redis', () => testRedis('faults')],
  ['Postgres', () => null],
])('services killed at random, queue on %s', (name, queue) => {
  it('R1 R2 R3 R5 R7 loses nothing, decides once, pays once, and survives an emptied queue store', async () => {
    const database = await testDatabase();
    const queueUrl = queue() ?? database.url;
    if (name === 'Redis') await emptyQueue(queueUrl);
    const result = await runFaults({
      ...{
        databaseUrl: database.url,
        queueUrl,
        seed: 7,
        cases: 12,
        kills: 5,
        killEveryMs: 1_500,
        modelMs: 400,
      },
      ...{ emptyQueueAfter: 3, emptyQueue: () => emptyQueue(queueUrl), settleMs: 60_000 },
    });
    expect(result).toMatchObject({ cases: 12, decided: 12, quarantined: 0, unfinished: 0, verdictsTwice: 0 });
    expect(result).toMatchObject({ answeredTwice: 0, deliveriesOpen: 0 });
    expect(result.extraCalls).toBeLessThanOrEqual(result.inFlightAtKills);
    expect(result.extraCalls).toBeLessThanOrEqual(result.ambiguous);
    await database.drop();
  }, 150_000);
});
