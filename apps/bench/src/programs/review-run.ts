// Has two people answer the same cases at the same time, and kills the console in the middle of a bulk answer.
// Options: [--races 200] [--cases 1000]. Exit code 1: an answer is lost or not shown, a case is answered twice
// or without actor and time, or an undo does not restore it.
import { parseArgs } from 'node:util';
import { silentLogger } from '@casefile/contracts';
import { bulkKilled } from '@casefile/e2e/review-run/bulk-killed';
import { waitingCases } from '@casefile/e2e/review-run/desk-client';
import { racesOfTwo } from '@casefile/e2e/review-run/two-people';
import { FIVE_SERVICES, fiveServices } from '@casefile/e2e/testing/five-services';
import { onPrivatePostgres } from '@casefile/e2e/testing/private-postgres';
import { createDatabaseIfMissing } from '@casefile/embedded';
import { openDatabase } from '@casefile/runtime';

const { values } = parseArgs({
  options: { races: { type: 'string', default: '200' }, cases: { type: 'string', default: '1000' } },
});
const [races, cases] = [Number(values.races), Number(values.cases)];

await onPrivatePostgres(async (postgres, dir) => {
  await createDatabaseIfMissing(postgres.url('postgres'), 'reviews');
  const { url: databaseUrl } = await openDatabase(
    { databaseUrl: postgres.url('reviews'), dataDir: dir },
    silentLogger,
  );
  const services = [...FIVE_SERVICES, 'console', 'console'] as const;
  const system = await fiveServices({ services, databaseUrl, env: () => ({ LLM_PROVIDER: 'none' }) });
  try {
    await system.start();
    const raced = await racesOfTwo(system, await waitingCases(system, races, 'zu zweit'));
    console.log('two people at the same time:', raced);
    const bulk = await bulkKilled(system, await waitingCases(system, cases, 'Nummer'));
    console.log('in bulk, killed halfway:', bulk);
    const isRaceRecorded = raced.lost === 0 && raced.disputed === races && raced.newestStands === races;
    const isOnce = [bulk.done, bulk.once, bulk.events, bulk.restored].every((count) => count === cases);
    return isRaceRecorded && isOnce && bulk.refused === 0;
  } finally {
    await system.close();
  }
});
