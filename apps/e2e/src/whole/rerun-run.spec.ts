import { testDatabase } from '@casefile/store/testing';
import { killBatch } from '../rerun-run/kill-batch.js';
import { outage } from '../rerun-run/outage.js';

// Replays: the proof of R18 in apps/bench.
it('R1 R2 S4-62 a batch whose services are killed judges each case once, pays once, and hands out once', async () => {
  const database = await testDatabase();
  const figures = await killBatch({
    databaseUrl: database.url,
    cases: 24,
    kills: 3,
    killEveryMs: 1_000,
    modelMs: 300,
    ratePerSecond: 6,
    seed: 5,
  });
  expect(figures).toMatchObject({ done: 24, failed: 0, applied: 24, runsTwice: 0 });
  expect(figures).toMatchObject({ outBefore: 0, replaced: 24 });
  expect(figures.extraCalls).toBeLessThanOrEqual(figures.underWayAtKills);
  await database.drop();
}, 400_000);

it('S4-62 one command judges again what an outage degraded, and each goes out once with what it replaces', async () => {
  const figures = await outage(12);
  expect(figures).toMatchObject({ degraded: 12, byModel: 12, applied: 12, handedOut: 12, twice: 0 });
}, 400_000);
