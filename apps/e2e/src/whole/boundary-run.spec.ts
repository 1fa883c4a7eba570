import { testDatabase } from '@casefile/store/testing';
import { killAtBoundaries } from '../boundary-run/kill-at-boundaries.js';
import { scriptedIncidents } from '../boundary-run/scripted-incident.js';
import { scriptedResearches } from '../boundary-run/scripted-research.js';

// The same at every boundary, by hand: `npm run measure -- boundary-run`.
describe.each([
  ['S2-43', 'incidents', 'queue', scriptedIncidents],
  ['S2-43', 'incidents', 'direct', scriptedIncidents],
  ['S5-70', 'researches of three rounds', 'queue', scriptedResearches],
] as const)('%s %s whose services are killed, handed on by %s', (_id, _what, handOn, script) => {
  it('R1 R2 R3 end as without a kill, and no recorded answer or result is asked for again', async () => {
    const database = await testDatabase();
    const { url } = database;
    const where = { databaseUrl: url, queueUrl: url, say: () => undefined };
    const result = await killAtBoundaries({ ...where, script, handOn, cases: 2, step: 9 });
    expect(result).toMatchObject({ killed: 2, decided: 2, paidAgain: 0, calledAgain: 0, otherVerdicts: 0 });
    expect(result.boundaries).toBeGreaterThan(20);
    await database.drop();
  }, 600_000);
});
