import { performance } from 'node:perf_hooks';
import type { CaseStore } from '@casefile/contracts';
import pg from 'pg';
import { median, type Row } from '../ratios/report.js';
import { closedLoop } from '../ratios/rows.js';
import type { Spine } from '../ratios/spine.js';
import { PARTS } from './one-table.js';

/** One of the two records that are compared. */
export interface Side {
  client: pg.Client;
  spine: Spine;
}

/** Record with one table, and record with a partition per month. */
export interface Sides {
  one: Side;
  months: Side;
}

/** Model calls of one run. */
const CALLS = 10;
/** Rows per statement of the filling. */
const BATCH = 50_000;

/** First day of the month `back` months before the current one, as ms since 1970. */
const monthStart = (back: number, now = new Date()): number =>
  Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back, 1);

// Time 0 is the first id of the oldest month. Runs are spread evenly, so that ids grow with time.
const FILL = `
  insert into llm_interactions (id, run_id, unit, stage, round, step, attempt, provider, model, prompt_id, request_hash,
    request, draw, state, response, content, reasoning_content, created_at, completed_at)
  select (lpad(to_hex(t.ms), 12, '0') || '7' || substr(md5(i::text), 1, 3) || '8' || substr(md5('c' || i), 1, 15))::uuid,
    (lpad(to_hex(t.ms), 12, '0') || '7' || substr(md5('r' || i / ${CALLS}), 1, 3) || '8'
      || substr(md5('r' || i / ${CALLS}), 4, 15))::uuid,
    '', 'reason', 1, i % ${CALLS}, 1, 'openai', 'gpt-5-mini', 'single-shot@1', md5(i::text),
    json_build_object('text', repeat(md5(i::text), 30)), '{"seed":"ab"}', 'completed',
    json_build_object('text', md5(i::text)), repeat(md5(i::text), 3), repeat(md5(i::text), 5),
    to_timestamp(t.ms / 1000.0), to_timestamp(t.ms / 1000.0)
  from generate_series($1::bigint, $2::bigint) i
    cross join lateral (select $3::bigint + (i / ${CALLS}) * ${CALLS} * $4::bigint / $5::bigint as ms) t`;

/** Fills `rows` model calls of the months before the current one. */
export async function fillMonths(
  { client }: Pick<Side, 'client'>,
  rows: number,
  months: number,
): Promise<void> {
  const [from, to] = [monthStart(months), monthStart(0)];
  for (let first = 0; first < rows; first += BATCH)
    await client.query(FILL, [first, Math.min(rows, first + BATCH) - 1, from, to - from, rows]);
  await client.query('vacuum analyze llm_interactions');
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const from = performance.now();
  await work();
  return performance.now() - from;
}

const ms = (time: number): string => `${time.toFixed(0)} ms`;

/** Compares cases per second in alternating rounds, and counts the partitions that a case reads. */
export async function compareSpeed(
  { one, months }: Sides,
  { count, casesPerRound, rounds }: { count: number; casesPerRound: number; rounds: number },
): Promise<Row[]> {
  const pairs: { one: number; months: number }[] = [];
  for (const { spine } of [one, months]) await closedLoop(spine, casesPerRound, 0);
  const before = await scans(months, count);
  for (let round = 1; round <= rounds; round += 1) {
    const took: Partial<Record<keyof Sides, number>> = {};
    // The order alternates, so that a machine that slows down favours neither.
    for (const name of round % 2 === 0 ? (['one', 'months'] as const) : (['months', 'one'] as const))
      took[name] = await closedLoop({ one, months }[name].spine, casesPerRound, round * 1_000_000);
    pairs.push({ one: took.one ?? 0, months: took.months ?? 0 });
  }
  const after = await scans(months, count);
  const of = (key: keyof Sides): string => median(pairs.map((pair) => pair[key])).toFixed(0);
  return [
    {
      name: 'cases per second with months against one table',
      figure: `${of('months')}, one table ${of('one')}`,
      ratio: median(pairs.map((pair) => pair.months / pair.one)),
      wanted: '>= 0.9',
    },
    {
      name: 'partitions of past months that one case reads',
      figure: ((after - before) / (casesPerRound * rounds)).toFixed(2),
      ratio: null,
      wanted: '0',
    },
  ];
}

/** Partition of the current month, after `count` past months. */
const currentOf = (count: number): string => `m${count + 1}`;

/** Index scans of all partitions but that of the current month. */
async function scans({ client }: Side, count: number): Promise<number> {
  // Other sessions report their counts within a second.
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  const { rows } = await client.query<{ scans: number }>(
    `select sum(idx_scan)::float8 as scans from pg_stat_user_tables where schemaname = '${PARTS}' and relname <> $1`,
    [currentOf(count)],
  );
  return rows[0]?.scans ?? 0;
}

/** Frees the space of a month whose calls were all erased. */
async function compareSpace({ client }: Side, store: Pick<CaseStore, 'callMonths'>): Promise<Row> {
  const { callMonths } = store;
  await client.query(
    `update ${PARTS}.m2 set request = '{"erased":true}', response = null, content = null, reasoning_content = null`,
  );
  const took = await timed(async () => {
    while ((await callMonths.copyErased('m2', 2_000)) === 'more');
  });
  const sizes = await callMonths.replace('m2');
  if (sizes === null) throw new Error('the month was in use');
  const mb = (bytes: number): string => (bytes / 1e6).toFixed(1);
  return {
    name: 'space of a month of erased calls, copied against before',
    figure: `${mb(sizes.bytesAfter)} MB, before ${mb(sizes.bytesBefore)} MB, copied in ${ms(took)}`,
    ratio: sizes.bytesAfter / sizes.bytesBefore,
    wanted: '',
  };
}

/** Compares a vacuum after the rounds, the space of an erased month, and the removal of the oldest month. */
export async function compareUpkeep(
  { one, months }: Sides,
  count: number,
  store: Pick<CaseStore, 'callMonths'>,
): Promise<Row[]> {
  const vacuumOne = await timed(() => one.client.query('vacuum llm_interactions'));
  const vacuumMonth = await timed(() => months.client.query(`vacuum ${PARTS}.${currentOf(count)}`));
  const space = await compareSpace(months, store);
  const until = `first_run_id_at(to_timestamp(${monthStart(count - 1)} / 1000.0))`;
  const deleted = await timed(() => one.client.query(`delete from llm_interactions where run_id < ${until}`));
  const vacuumed = await timed(() => one.client.query('vacuum llm_interactions'));
  const dropped = await timed(() => months.client.query(`drop table ${PARTS}.m1`));
  return [
    {
      name: 'vacuum after the rounds, of the month against the whole table',
      figure: `${ms(vacuumMonth)}, one table ${ms(vacuumOne)}`,
      ratio: vacuumMonth / vacuumOne,
      wanted: '',
    },
    space,
    {
      name: 'removal of the oldest month, by drop against delete and vacuum',
      figure: `${ms(dropped)}, one table ${ms(deleted)} and ${ms(vacuumed)}`,
      ratio: dropped / (deleted + vacuumed),
      wanted: '',
    },
  ];
}
