import { performance } from 'node:perf_hooks';
import { silentLogger, type SeriesGrouping, type SeriesMetric } from '@casefile/contracts';
import { createPostgresStore } from '@casefile/store';
import { percentile, type Row } from './report.js';

const ROUNDS = 5;
const LIMIT_MS = 300;

const VIEWS: readonly (readonly [SeriesMetric, SeriesGrouping?])[] = [
  ['verdicts', 'disposition'],
  ['latency_p50'],
  ['latency_p95'],
  ['cost', 'model'],
  ['tokens', 'playbook'],
  ['queue_depth', 'name'],
  ['queue_age'],
  ['failures', 'name'],
];

// One sample per hour for 12 queues, over the whole retention time.
const FILL_SAMPLES = `
  insert into series_samples (step, metric, bucket, name, value)
  select 'hour', m, date_trunc('hour', now(), 'UTC') - h * interval '1 hour', 'queue-' || q, h % 17 + 1
  from unnest(array['queue_depth', 'queue_age', 'failures']) m, generate_series(0, 24 * 90) h, generate_series(1, 12) q
  on conflict do nothing`;

/** Measures each metric over 31 days, on a record whose verdicts already have their figures (S4-61). */
export async function history(databaseUrl: string, verdicts: number): Promise<Row[]> {
  const store = createPostgresStore({ databaseUrl, poolSize: 4, log: silentLogger });
  try {
    await store.database.rows(FILL_SAMPLES, []);
    await store.database.rows('analyze series_samples', []);
    const to = new Date(Date.now() + 60_000);
    const range = { from: new Date(to.getTime() - 31 * 86_400_000).toISOString(), to: to.toISOString() };
    const took: number[] = [];
    for (let i = 0; i < ROUNDS; i += 1) {
      for (const [metric, by] of VIEWS) {
        const start = performance.now();
        const query = { metric, step: 'hour' as const, ...range, ...(by === undefined ? {} : { by }) };
        const points = await store.history.series(query);
        took.push(performance.now() - start);
        const counted = points.reduce((sum, { value }) => sum + value, 0);
        if (metric === 'verdicts' && counted !== verdicts)
          throw new Error(`${counted} verdicts are shown, expected ${verdicts}`);
      }
    }
    const p95 = percentile(took, 95);
    return [
      {
        name: `history, ${verdicts.toLocaleString('en')} verdicts, a metric over 31 days by hours, p95`,
        figure: `${p95.toFixed(0)} ms, p50 ${percentile(took, 50).toFixed(0)} ms`,
        ratio: p95 / LIMIT_MS,
        wanted: `<= ${LIMIT_MS} ms`,
      },
    ];
  } finally {
    await store.close();
  }
}
