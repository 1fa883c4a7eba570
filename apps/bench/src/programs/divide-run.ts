// Divides model calls by month on a filled record while cases are judged, and measures how long the statements of
// the services take before, during and after. Options: [--calls 1000000] [--months 12] [--seconds 20].
// Exit code 1: a statement took longer than 1 s, or a call or case is missing.
import { performance } from 'node:perf_hooks';
import { setTimeout } from 'node:timers/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { instantModel } from '@casefile/e2e/testing/instant-model';
import { onPrivatePostgres } from '@casefile/e2e/testing/private-postgres';
import { createDatabaseIfMissing } from '@casefile/embedded';
import { startRedis } from '@casefile/embedded/testing';
import { boundHeapGrowth } from '@casefile/runtime';
import { migrate } from '@casefile/store';
import pg from 'pg';
import { fillMonths } from '../partition-run/compare-months.js';
import { NO_MONTHS } from '../partition-run/one-table.js';
import { closedLoop } from '../ratios/rows.js';
import { startSpine } from '../ratios/spine.js';

const { values } = parseArgs({
  options: {
    calls: { type: 'string', default: '1000000' },
    months: { type: 'string', default: '12' },
    /** Length of the periods before and after. */
    seconds: { type: 'string', default: '20' },
  },
});
const [calls, months, seconds] = [Number(values.calls), Number(values.months), Number(values.seconds)];

/** The migrations that divide the calls, in order. */
const NAMES = [
  '20261128000000_calls_before_months',
  '20261128000100_calls_before_months_checked',
  '20261128000200_calls_by_month',
];
const CASES_PER_LOOP = 100;
const LIMIT_MS = 1_000;

/** Duration of the longest statement of each period, in ms, by period. */
const longest: Record<string, number> = {};
let period = 'warm-up';

/** Measures every statement of the services. */
function watchStatements(): void {
  const query = pg.Client.prototype.query;
  const watched = function (this: pg.Client, ...args: unknown[]): unknown {
    const from = performance.now();
    const answer = (query as (...args: unknown[]) => unknown).apply(this, args);
    const { application_name: name } = (
      this as unknown as { connectionParameters: { application_name?: string } }
    ).connectionParameters;
    const begun = period;
    const note = (): void => {
      const took = performance.now() - from;
      for (const one of new Set([begun, period])) longest[one] = Math.max(longest[one] ?? 0, took);
    };
    // A failed statement took time too. Its caller gets the error.
    if (answer instanceof Promise && name === 'casefile') void answer.then(note, note);
    return answer;
  };
  pg.Client.prototype.query = watched as typeof query;
}

boundHeapGrowth();
watchStatements();
await onPrivatePostgres(async (postgres, dir) => {
  const url = postgres.url('divide');
  await createDatabaseIfMissing(postgres.url('postgres'), 'divide');
  await migrate(url, (name) => !NAMES.includes(name));
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await fillMonths({ client }, calls, months);
  const [{ bytes } = { bytes: NaN }] = (
    await client.query<{ bytes: number }>(`select pg_table_size('llm_interactions')::float8 as bytes`)
  ).rows;
  console.log(`${calls} calls are on the record, ${(bytes / 1e9).toFixed(1)} GB`);
  // A service that starts migrates its database, so the migrations are marked as applied until they are measured.
  for (const name of NAMES)
    await client.query(
      `insert into _prisma_migrations (id, checksum, migration_name, finished_at) values (left($1, 14), '', $1, now())`,
      [name],
    );
  const redis = await startRedis({ dir: join(dir, 'redis') });
  const model = instantModel();
  const spine = await startSpine(url, redis.url, model, {}, { writes: { callMonths: NO_MONTHS } });
  let cases = 0;
  let isOver = false;
  const load = (async () => {
    while (!isOver) {
      await closedLoop(spine, CASES_PER_LOOP, cases);
      cases += CASES_PER_LOOP;
    }
  })();
  await setTimeout(seconds * 1_000);
  period = 'before';
  await setTimeout(seconds * 1_000);
  period = 'during';
  for (const step of NAMES) {
    await client.query('delete from _prisma_migrations where migration_name = $1', [step]);
    const from = performance.now();
    const applied = await migrate(url, (name) => name === step);
    console.log(`migration ${applied.join()}: ${(performance.now() - from).toFixed(0)} ms`);
  }
  period = 'after';
  await setTimeout(seconds * 1_000);
  isOver = true;
  await load;
  const { rows } = await client.query<{ written: number; decided: number; current: number }>(
    `select (select count(*)::int from llm_interactions) as written,
       (select count(*)::int from runs where status = 'decided') as decided,
       (select count(*)::int from months_of_calls) as current`,
  );
  const [{ written, decided, current } = { written: NaN, decided: NaN, current: NaN }] = rows;
  await spine.stop();
  await redis.stop();
  await client.end();
  console.table({ ...longest });
  console.log(
    `${decided} of ${cases} cases decided, ${written - calls} of ${model.calls()} calls written, ${current} months`,
  );
  return (
    decided === cases && written - calls === model.calls() && (longest['during'] ?? Infinity) <= LIMIT_MS
  );
});
