import { testDatabase } from '@casefile/store/testing';
import { killAtBoundaries } from './boundary-run/kill-at-boundaries.js';

// The same at every boundary, by hand: `node tools/boundary-run.mjs`.
describe.each(['queue', 'direct'] as const)(
  'incidents whose services are killed, handed on by %s',
  (handOn) => {
    it('S2-43 R1 R2 R3 end as without a kill, and no recorded answer or result is asked for again', async () => {
      const database = await testDatabase();
      const { url } = database;
      const options = { databaseUrl: url, queueUrl: url, handOn, cases: 2, step: 9, say: () => undefined };
      const result = await killAtBoundaries(options);
      expect(result).toMatchObject({ killed: 2, decided: 2, paidAgain: 0, calledAgain: 0, otherVerdicts: 0 });
      expect(result.boundaries).toBeGreaterThan(20);
      await database.drop();
    }, 600_000);
  },
);
