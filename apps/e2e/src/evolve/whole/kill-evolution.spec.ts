import { testDatabase } from '@casefile/store/testing';
import { killEvolution } from '../kill-evolution.js';

it('S4-61 an evolution whose process is killed has the same lineage, and no recorded answer is paid twice', async () => {
  const database = await testDatabase();
  const { url } = database;
  const figures = await killEvolution({
    databaseUrl: url,
    queueUrl: url,
    cases: 20,
    kills: 3,
    seed: 3,
    modelMs: 300,
    useless: 1,
  });
  expect(figures.evolutions.filter(({ isSame }) => !isSame)).toEqual([]);
  expect(figures).toMatchObject({ kills: 3, paidTwice: 0, unrecorded: 0, otherAmbiguous: 0 });
  expect(figures.ambiguous).toBe(figures.inFlight);
  await database.drop();
}, 1_200_000);
