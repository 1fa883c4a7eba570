// Kills the process that drives a prompt evolution at random moments, and compares it with an undisturbed evolution.
// Options: [--cases 40] [--kills 20] [--seed 1] [--model-ms 400]. A killed process is started again. Exit code 1: texts,
// parents, scores or the report differ, a recorded answer was paid twice, or a call that was in flight at a kill is not
// marked `ambiguous`.
import { parseArgs } from 'node:util';
import { killEvolution } from '@casefile/e2e/evolve/kill-evolution';
import { onPrivatePostgres } from '@casefile/e2e/testing/private-postgres';
import { testDatabase } from '@casefile/store/testing';

const { values } = parseArgs({
  options: {
    cases: { type: 'string', default: '40' },
    kills: { type: 'string', default: '20' },
    seed: { type: 'string', default: '1' },
    'model-ms': { type: 'string', default: '400' },
  },
});

await onPrivatePostgres(async (postgres) => {
  const { url } = await testDatabase(postgres.url('postgres'));
  const { cases, kills, seed, 'model-ms': modelMs } = values;
  const figures = await killEvolution({
    databaseUrl: url,
    queueUrl: url,
    cases: Number(cases),
    kills: Number(kills),
    seed: Number(seed),
    modelMs: Number(modelMs),
    useless: 6,
    say: console.log,
  });
  console.log(figures);
  const { evolutions, paidTwice, unrecorded, inFlight, ambiguous, otherAmbiguous } = figures;
  return (
    evolutions.every(({ isSame }) => isSame) &&
    paidTwice + unrecorded + otherAmbiguous === 0 &&
    ambiguous === inFlight
  );
});
