import { testDatabase } from '@casefile/store/testing';
import { suspendMany } from '../suspended.js';

const [CASES, CRITERIA] = [3, 10];

it('S4-06 thirty units that wait for a tool hold none of ten workers, and all finish', async () => {
  const database = await testDatabase();
  try {
    const urls = { databaseUrl: database.url, queueUrl: database.url };
    const figures = await suspendMany({ ...urls, cases: CASES, criteria: CRITERIA, withinMs: 250_000 });
    // The same workers judged another case meanwhile. Otherwise that case would not have ended.
    expect(figures).toMatchObject({
      units: CASES * CRITERIA,
      stagesUnderWay: 0,
      reasonJobs: 0,
      toolCallsUnderWay: 10,
      finished: CASES * CRITERIA,
    });
  } finally {
    await database.drop();
  }
});
