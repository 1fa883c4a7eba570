import { testDatabase } from '@casefile/store/testing';
import { startDemonstration } from '../testing/demonstration.js';

it('casefile up --demo --once ends with 0, also on its own record, with the verdicts of then', async () => {
  const database = await testDatabase();
  try {
    const verdicts: unknown[][] = [];
    for (let start = 1; start <= 2; start += 1) {
      const up = startDemonstration(database.url, '--once');
      expect(await up.ended).toBe(0);
      const lines = up.lines.filter(({ type }) => type === 'verdict');
      verdicts.push(lines.map(({ caseId, verdict }) => [caseId, verdict]).sort());
    }
    expect(verdicts[0]).toHaveLength(27);
    expect(verdicts[1]).toEqual(verdicts[0]);
  } finally {
    await database.drop();
  }
});
