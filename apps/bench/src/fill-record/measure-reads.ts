import { performance } from 'node:perf_hooks';
import type { CaseQuery } from '@casefile/contracts';
import { createPostgresStore } from '@casefile/store';
import { casesStatement, hasWords } from '@casefile/store/testing';
import pg from 'pg';
import { median, percentile, type Row } from '../ratios/report.js';

const TIMES = 15;
const PAGE = 50;

type Read = [name: string, read: (store: ReturnType<typeof createPostgresStore>) => Promise<unknown>];

/**
 * The first page without a filter, and typical searches: rare and common words, prefixes, another script, no
 * match.
 */
const LISTS: [string, Partial<CaseQuery>][] = [
  ['first page', {}],
  ['first page, oldest first', { order: 'oldest' }],
  ['filter that few cases pass', { method: 'heuristic' }],
  ['filter that none passes', { action: 'NEVER' }],
  ['search: a word of every alert', { q: 'your' }],
  ['search: a word of every report', { q: 'evidence' }],
  ['search: one letter', { q: 'p' }],
  ['search: a rare word', { q: 'bank12345' }],
  ['search: a phone number', { q: '+44 7700 900123' }],
  ['search: 500 digits', { q: '1234567 '.repeat(62) }],
  ['search: two words', { q: 'parcel cust' }],
  ['search: Hindi', { q: 'खाता' }],
  ['search and filter', { q: 'your', method: 'heuristic' }],
  ['search: nothing found', { q: 'nowhere' }],
];

/** Measures the reads behind the pages with a warm cache: the median and the slowest time. */
export async function measureReads(databaseUrl: string): Promise<Row[]> {
  const store = createPostgresStore({ databaseUrl, poolSize: 3 });
  try {
    const [newest] = (await store.record.listCases({ limit: 1 })).items;
    const reads: Read[] = [
      ...LISTS.map(([name, query]): Read => [name, (on) => on.record.listCases({ limit: PAGE, ...query })]),
      ['one case', (on) => on.record.getCase(newest?.id ?? '')],
      ['pipeline figures', (on) => on.record.pipelineFigures()],
    ];
    const rows: Row[] = [];
    for (const [name, read] of reads) {
      const took: number[] = [];
      for (let i = 0; i < TIMES; i += 1) {
        const from = performance.now();
        await read(store);
        took.push(performance.now() - from);
      }
      const worst = percentile(took, 100);
      const figure = `${median(took).toFixed(1)} ms, slowest ${worst.toFixed(1)} ms`;
      rows.push({ name, figure, ratio: worst / 200, wanted: '<= 200 ms' });
    }
    return rows;
  } finally {
    await store.close();
  }
}

/** Returns the query plans of the same lists, from the connections of the store. */
export async function explainLists(databaseUrl: string): Promise<string> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query('set enable_seqscan = off; set jit = off; set plan_cache_mode = force_generic_plan');
    const plans: string[] = [];
    for (const [name, query] of LISTS) {
      const listQuery = { limit: PAGE, ...query };
      for (const way of hasWords(listQuery) ? (['scan', 'words'] as const) : (['scan'] as const)) {
        const { text, params } = casesStatement(listQuery, way);
        await client.query(`prepare list as ${text}`);
        const values = params.map((value) => pg.escapeLiteral(String(value))).join(', ');
        const { rows } = await client.query<{ 'QUERY PLAN': string }>(
          `explain (analyze, buffers, costs off) execute list${values === '' ? '' : `(${values})`}`,
        );
        await client.query('deallocate list');
        plans.push(`-- ${name}, by ${way}`, ...rows.map((row) => row['QUERY PLAN']), '');
      }
    }
    return plans.join('\n');
  } finally {
    await client.end();
  }
}
