import { performance } from 'node:perf_hooks';
import { silentLogger } from '@casefile/contracts';
import { qualityView } from '@casefile/console/quality-view';
import { createPostgresStore } from '@casefile/store';
import { percentile, type Row } from './report.js';

const VIEWS = 10;
const LIMIT_MS = 1_000;

// A tenth of the verdicts has a label. Confidences cluster at round numbers, as those of models do.
const FILL = `
  with made as (
    insert into verdict_figures (run_id, case_id, playbook, lane, strategy, provider, model, prompts, method, confidence,
      confidence_source, disposition, degraded, cited, verified, calls, unpriced, tokens, cost_usd, latency_ms, decided_at)
    select gen_random_uuid(), gen_random_uuid(), (array['a', 'b', 'c', 'd', 'e'])[i % 5 + 1], 'live', 's', 'p',
      'm' || i % 2, 'a/answer@1', 'llm', (array[0.6, 0.8, 0.85, 0.9, 0.95])[i / 7 % 5 + 1], 'llm',
      (array['act', 'review', 'dismiss'])[i % 3 + 1], i % 11 = 0, 3, 3, 1, 0, 1000 + i % 500, 0.001, 500 + i % 4000,
      now() - i % 86400 * interval '29 seconds'
    from generate_series(1, $1::int) i returning run_id, case_id, confidence)
  insert into feedback (id, case_id, run_id, agrees, outcome, "by", at)
  select gen_random_uuid(), case_id, run_id, random() < confidence, '{}', 'ann', now() from made order by run_id limit $1 / 10`;

/** Measures the page Quality on a record of this many verdicts, a tenth of them with a label (S4-60). */
export async function quality(databaseUrl: string, verdicts: number): Promise<Row[]> {
  const store = createPostgresStore({ databaseUrl, poolSize: 4, log: silentLogger });
  try {
    await store.database.rows(FILL, [verdicts]);
    await store.database.rows('analyze', []);
    const to = new Date(Date.now() + 60_000);
    const from = new Date(to.getTime() - 31 * 86_400_000);
    const took: number[] = [];
    for (let i = 0; i < VIEWS; i += 1) {
      const start = performance.now();
      const range = { from: from.toISOString(), to: to.toISOString() };
      const view = await qualityView(store.qualityFigures, {
        ...range,
        ...(i % 2 === 0 ? {} : { by: 'model' }),
      });
      took.push(performance.now() - start);
      const counted = view.quality.reduce((sum, row) => sum + row.verdicts, 0);
      if (counted !== verdicts) throw new Error(`${counted} verdicts are shown, expected ${verdicts}`);
    }
    const p95 = percentile(took, 95);
    return [
      {
        name: `page Quality, ${verdicts.toLocaleString('en')} verdicts, a tenth labelled, p95`,
        figure: `${p95.toFixed(0)} ms, p50 ${percentile(took, 50).toFixed(0)} ms`,
        ratio: p95 / LIMIT_MS,
        wanted: `<= ${LIMIT_MS} ms`,
      },
    ];
  } finally {
    await store.close();
  }
}
