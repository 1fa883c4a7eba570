import { testDatabase } from '@casefile/store/testing';
import { emptyQueue } from '../fault-run/empty-queue.js';
import { runFaults } from '../fault-run/run-faults.js';

// The same runs at full size, by hand: `npm run measure -- fault-run`, and with `--rollouts 10`. With the queue on
// Redis: the proofs of R1 to R4 and R7 in apps/bench.
describe('services killed at random, queue on Postgres', () => {
  it('R1 R2 R3 R5 R7 loses nothing, decides once, pays once, and survives an emptied queue store', async () => {
    const database = await testDatabase();
    const queueUrl = database.url;
    const result = await runFaults({
      databaseUrl: database.url,
      queueUrl,
      seed: 7,
      cases: 12,
      kills: 4,
      killEveryMs: 1_500,
      modelMs: 400,
      emptyQueueAfter: 2,
      emptyQueue: () => emptyQueue(queueUrl),
      settleMs: 250_000,
    });
    expect(result).toMatchObject({ cases: 12, decided: 12, quarantined: 0, unfinished: 0, verdictsTwice: 0 });
    expect(result).toMatchObject({ answeredTwice: 0, deliveriesOpen: 0 });
    expect(result.extraCalls).toBeLessThanOrEqual(result.underWayAtKills);
    expect(result.extraCalls).toBeLessThanOrEqual(result.ambiguous);
    await database.drop();
  }, 400_000);
});

it('R17 E-07 a rollout under load and with hostile clients ends in order, and loses and repeats nothing', async () => {
  const database = await testDatabase();
  const result = await runFaults({
    databaseUrl: database.url,
    queueUrl: database.url,
    seed: 11,
    cases: 6,
    modelMs: 400,
    kills: 0,
    killEveryMs: 0,
    rollouts: 1,
    settleMs: 250_000,
  });
  expect(result.rollouts.map(({ failed }) => failed)).toEqual([[]]);
  expect(result).toMatchObject({ cases: 6, decided: 6, quarantined: 0, verdictsTwice: 0, answeredTwice: 0 });
  expect(result).toMatchObject({ deliveriesOpen: 0 });
  expect(result.extraCalls).toBeLessThanOrEqual(result.ambiguous);
  await database.drop();
}, 400_000);
