// Runs shadow experiments with equal arms over the samples of every kind, judged many times, and compares the
// arms. Options: [--times 72]. Exit code 1: the arms decided a case differently, or a shadow run is missing.
import { parseArgs } from 'node:util';
import { compareEqualArms } from '@casefile/e2e/rollout/equal-arms';
import { onPrivatePostgres } from '@casefile/e2e/testing/private-postgres';
import { testDatabase } from '@casefile/store/testing';

const { values } = parseArgs({ options: { times: { type: 'string', default: '72' } } });

await onPrivatePostgres(async (postgres) => {
  process.env['CASEFILE_TEST_POSTGRES'] = postgres.url('postgres');
  const figures = await compareEqualArms((await testDatabase()).url, Number(values.times), console.log);
  let failed = false;
  for (const { playbook, cases, same, again, sameAgain, missing, sentence } of figures) {
    failed ||= same < cases || missing > 0;
    console.log(
      `${playbook.padEnd(18)} ${same} of ${cases} the same, control judged again ${sameAgain} of ${again}, missing ${missing}. ${sentence}`,
    );
  }
  return !failed;
});
