// Runs researches that must end within a time T while their provider hangs in a role drawn from the seed.
// Options: [--cases 200] [--at-once 50] [--within-ms 10000] [--seed 1]. Exit code 1: a report came later than
// 1.1 T.
import { silentLogger } from '@casefile/contracts';
import { createDatabaseIfMissing } from '@casefile/embedded';
import { openDatabase } from '@casefile/runtime';
import { onPrivatePostgres } from '@casefile/e2e/testing/private-postgres';
import { endInTime, HANGING, outcomeOf } from '@casefile/e2e/deadline-run/end-in-time';

const flag = (name: string, fallback: number): number => {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? fallback : Number(process.argv[at + 1]);
};
/** A report is late if it takes longer than T times this factor. */
const LATE = 1.1;

const cases = flag('cases', 200);
const withinMs = flag('within-ms', 10_000);
await onPrivatePostgres(async (postgres, dir) => {
  await createDatabaseIfMissing(postgres.url('postgres'), 'deadline');
  const { url: databaseUrl } = await openDatabase(
    { databaseUrl: postgres.url('deadline'), dataDir: dir },
    silentLogger,
  );
  const options = { databaseUrl, cases, withinMs, atOnce: flag('at-once', 50), seed: flag('seed', 1) };
  const ended = await endInTime(options);
  for (const hung of HANGING) {
    const own = ended.filter((one) => one.hung === hung);
    const slowest = Math.max(0, ...own.map(({ tookMs }) => tookMs));
    const partial = own.filter((one) => outcomeOf(one).partial === true).length;
    console.log(`hangs: ${hung ?? 'no role'}: ${own.length} runs, ${partial} partial, slowest ${slowest} ms`);
  }
  const inTime = ended.filter(
    (one) => one.tookMs <= LATE * withinMs && outcomeOf(one).items.length > 0,
  ).length;
  console.log(`a report by ${LATE} T (T ${withinMs} ms): ${inTime} of ${cases}`);
  return inTime >= cases;
});
