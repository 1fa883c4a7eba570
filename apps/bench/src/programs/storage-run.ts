// Compares storage settings of the table of model calls: updates that touch no index, bytes per call, vacuum,
// and a read of the costs. Options: [--calls 6000] [--sizes short,medium,long] [--table-calls 0]
// [--settings fillfactor=70/fillfactor=40]. With --table-calls the table already holds so many calls.
import { performance } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { onPrivatePostgres } from '@casefile/e2e/testing/private-postgres';
import { createDatabaseIfMissing } from '@casefile/embedded';
import { migrate } from '@casefile/store';
import pg from 'pg';
import { inOneTable } from '../partition-run/one-table.js';
import { writeCalls, type CallSize } from '../storage-run/write-calls.js';

const { values } = parseArgs({
  options: {
    calls: { type: 'string', default: '6000' },
    settings: { type: 'string', default: 'fillfactor=70/fillfactor=40' },
    sizes: { type: 'string', default: 'short,medium,long' },
    'table-calls': { type: 'string', default: '0' },
  },
});
const [calls, tableCalls] = [Number(values.calls), Number(values['table-calls'])];

const SIZES: CallSize[] = [
  { name: 'short', request: 40, answer: 4 },
  { name: 'medium', request: 300, answer: 30 },
  { name: 'long', request: 1_500, answer: 200 },
];
// Index sizes are rounded to pages, heap and TOAST too.
const FIGURES = `
  select round(100.0 * n_tup_hot_upd / n_tup_upd)::int as hot, pg_relation_size(relid)::float8 as heap,
    pg_indexes_size(relid)::float8 as indexes from pg_stat_user_tables where relname = 'llm_interactions'`;
// As the console counts the last day.
const COSTS = `
  select provider, model, count(*), sum(cost_usd), sum(input_tokens), sum(output_tokens) from llm_interactions
  where created_at > now() - interval '24 hours' and read_from is null group by 1, 2`;

await onPrivatePostgres(async (postgres) => {
  for (const size of SIZES.filter(({ name }) => values.sizes.split(',').includes(name)))
    for (const [i, settings] of values.settings.split('/').entries()) {
      const name = `calls_${size.name}_${i}`;
      await createDatabaseIfMissing(postgres.url('postgres'), name);
      await migrate(postgres.url(name));
      const client = new pg.Client({ connectionString: postgres.url(name) });
      await client.connect();
      try {
        await inOneTable(client);
        await client.query(`alter table llm_interactions set (autovacuum_enabled = off, ${settings})`);
        await writeCalls(client, size, tableCalls);
        await client.query('vacuum analyze llm_interactions');
        const start = await client.query<{ wal: string }>('select pg_current_wal_lsn() as wal');
        await writeCalls(client, size, calls, tableCalls);
        const wal = await client.query<{ bytes: number }>(
          'select pg_wal_lsn_diff(pg_current_wal_lsn(), $1)::float8 as bytes',
          [start.rows[0]?.wal],
        );
        await client.query('select pg_stat_force_next_flush()');
        const { rows } = await client.query<{ hot: number; heap: number; indexes: number }>(FIGURES);
        const from = performance.now();
        await client.query('vacuum llm_interactions');
        const took = performance.now() - from;
        const read = performance.now();
        await client.query(COSTS);
        const costs = performance.now() - read;
        const [{ hot, heap, indexes } = { hot: NaN, heap: NaN, indexes: NaN }] = rows;
        const per = (bytes: number, of = tableCalls + calls): string => (bytes / of).toFixed(0);
        console.log(
          `${size.name}, ${settings}: ${hot} % of the updates touch no index; per call ${per(heap)} bytes of ` +
            `table, ${per(indexes)} of indexes, ${per(wal.rows[0]?.bytes ?? NaN, calls)} of log; vacuum ${took.toFixed(0)} ms, costs ${costs.toFixed(0)} ms`,
        );
      } finally {
        await client.end();
      }
    }
  return true;
});
