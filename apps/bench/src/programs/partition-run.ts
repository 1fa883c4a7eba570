// Compares model calls in one table with model calls in a partition per month, on a record filled over months.
// Options: [--calls 1000000] [--months 12] [--judged 500] [--rounds 5] [--json].
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { CaseStore } from '@casefile/contracts';
import { instantModel } from '@casefile/e2e/testing/instant-model';
import { onPrivatePostgres } from '@casefile/e2e/testing/private-postgres';
import { createDatabaseIfMissing } from '@casefile/embedded';
import { startRedis } from '@casefile/embedded/testing';
import { boundHeapGrowth } from '@casefile/runtime';
import { createPostgresStore, migrate } from '@casefile/store';
import { addPastMonths } from '@casefile/store/testing';
import pg from 'pg';
import { compareSpeed, compareUpkeep, fillMonths, type Side } from '../partition-run/compare-months.js';
import { inOneTable, NO_MONTHS } from '../partition-run/one-table.js';
import { table } from '../ratios/report.js';
import { startSpine } from '../ratios/spine.js';

const { values } = parseArgs({
  options: {
    calls: { type: 'string', default: '1000000' },
    months: { type: 'string', default: '12' },
    /** Cases per round. */
    judged: { type: 'string', default: '500' },
    rounds: { type: 'string', default: '5' },
    json: { type: 'boolean', default: false },
  },
});
const { calls, months, casesPerRound, rounds } = {
  calls: Number(values.calls),
  months: Number(values.months),
  casesPerRound: Number(values.judged),
  rounds: Number(values.rounds),
};

boundHeapGrowth();
await onPrivatePostgres(async (postgres, dir) => {
  const side = async (
    name: string,
    prepare: (client: pg.Client, url: string) => Promise<void>,
    writes: Partial<CaseStore> = {},
  ) => {
    await createDatabaseIfMissing(postgres.url('postgres'), name);
    await migrate(postgres.url(name));
    const client = new pg.Client({ connectionString: postgres.url(name) });
    await client.connect();
    await prepare(client, postgres.url(name));
    await fillMonths({ client }, calls, months);
    const redis = await startRedis({ dir: join(dir, `redis-${name}`) });
    const spine = await startSpine(postgres.url(name), redis.url, instantModel(), {}, { writes });
    const stop = async () => {
      await spine.stop();
      await redis.stop();
      await client.end();
    };
    return { client, spine, stop };
  };
  const sides = {
    one: await side('one', inOneTable, { callMonths: NO_MONTHS }),
    months: await side('months', (_, url) => addPastMonths(url, months)),
  } satisfies Record<string, Side>;
  try {
    const speed = await compareSpeed(sides, { count: months, casesPerRound, rounds });
    const store = createPostgresStore({ databaseUrl: postgres.url('months'), poolSize: 4 });
    const rows = [...speed, ...(await compareUpkeep(sides, months, store))];
    await store.close();
    console.log(values.json ? JSON.stringify(rows, null, 2) : table(rows));
    return true;
  } finally {
    for (const { stop } of [sides.one, sides.months]) await stop();
  }
});
