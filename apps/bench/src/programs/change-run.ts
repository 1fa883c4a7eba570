// Makes a version of a prompt live, and steps an experiment back, while cases are under way in six processes.
// Options: [--cases 200]. Exit code 1: a run has two versions, or new runs of a service followed after more than 5 s.
import { parseArgs } from 'node:util';
import { silentLogger } from '@casefile/contracts';
import { createDatabaseIfMissing } from '@casefile/embedded';
import {
  stepBackInFlight,
  versionInFlight,
  type FollowedAfter,
} from '@casefile/e2e/rollout/change-in-flight';
import { FIVE_SERVICES, fiveServices } from '@casefile/e2e/testing/five-services';
import { onPrivatePostgres } from '@casefile/e2e/testing/private-postgres';
import { openDatabase } from '@casefile/runtime';

/** Longest time until new runs follow a change, in milliseconds. */
const WITHIN_MS = 5_000;

const { values } = parseArgs({ options: { cases: { type: 'string', default: '200' } } });
const cases = Number(values.cases);

await onPrivatePostgres(async (postgres, dir) => {
  await createDatabaseIfMissing(postgres.url('postgres'), 'change');
  const { url: databaseUrl } = await openDatabase(
    { databaseUrl: postgres.url('change'), dataDir: dir },
    silentLogger,
  );
  const services = [...FIVE_SERVICES, 'console'] as const;
  const system = await fiveServices({ services, databaseUrl, script: { delayMs: 500 } });
  try {
    await system.start();
    const { runs, before, followedAfter } = await versionInFlight(system, cases);
    const isOne = runs.filter(
      ({ interactions }) => new Set(interactions.map(({ promptId }) => promptId)).size === 1,
    );
    console.log(
      `${before.length} cases in flight; runs with exactly one version: ${isOne.length} of ${runs.length}`,
    );
    const stepBack = await stepBackInFlight(system);
    report('a live version is followed', followedAfter);
    report('a step back is followed', stepBack);
    const slowest = Math.max(...[followedAfter, stepBack].flatMap((times) => Object.values(times)));
    return isOne.length === runs.length && slowest <= WITHIN_MS;
  } finally {
    await system.close();
  }
});

function report(what: string, { ingest, console: atConsole }: FollowedAfter): void {
  console.log(`${what} by new runs of ingest after ${ingest} ms, of the console after ${atConsole} ms`);
}
