import { silentLogger } from '@casefile/contracts';
import { createDatabaseIfMissing } from '@casefile/embedded';
import { openDatabase } from '@casefile/runtime';
import { onPrivatePostgres } from '../testing/private-postgres.js';
import { killAtBoundaries } from './kill-at-boundaries.js';
import { scriptedIncidents } from './scripted-incident.js';
import { scriptedResearches } from './scripted-research.js';

const at = process.argv.indexOf('--cases');
const cases = at < 0 ? 50 : Number(process.argv[at + 1]);
const script = process.argv.includes('--research') ? scriptedResearches : scriptedIncidents;
await onPrivatePostgres(async (postgres, dir) => {
  let failed = false;
  for (const handOn of ['queue', 'direct'] as const) {
    await createDatabaseIfMissing(postgres.url('postgres'), handOn);
    const { url } = await openDatabase({ databaseUrl: postgres.url(handOn), dataDir: dir }, silentLogger);
    const options = { script, databaseUrl: url, queueUrl: url, handOn, cases, step: 1, say: console.log };
    const result = await killAtBoundaries(options);
    console.log(`handOn ${handOn}:`, result);
    const again = result.paidAgain + result.calledAgain + result.otherVerdicts;
    failed ||= result.decided !== cases || again > 0;
  }
  return !failed;
});
