// Kills all services at each commit of a case, and compares the result with an undisturbed run. Options:
// [--cases 50] [--research]. Runs incidents, or researches of three rounds with --research, and passes stages
// on both by the queue and directly. Exit code 1: a case did not end, ended differently, or repeated a
// recorded model or tool call.
import { silentLogger } from '@casefile/contracts';
import { createDatabaseIfMissing } from '@casefile/embedded';
import { openDatabase } from '@casefile/runtime';
import { onPrivatePostgres } from '@casefile/e2e/testing/private-postgres';
import { killAtBoundaries } from '@casefile/e2e/boundary-run/kill-at-boundaries';
import { scriptedIncidents } from '@casefile/e2e/boundary-run/scripted-incident';
import { scriptedResearches } from '@casefile/e2e/boundary-run/scripted-research';

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
