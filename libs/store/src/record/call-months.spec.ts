import { randomUUID } from 'node:crypto';
import { createPostgresStore, type PostgresStore } from '../create-postgres-store.js';
import { countingIds, until } from '@casefile/contracts/testing';
import pg from 'pg';
import { addPastMonths } from '../testing/past-months.js';
import { advanceTo, aResult, StoreBench } from '../testing/store-bench.js';
import { testDatabase, type TestDatabase } from '../testing/test-database.js';

let database: TestDatabase;
let client: pg.Client;
let store: PostgresStore;
const opened = (): PostgresStore => createPostgresStore({ databaseUrl: database.url, poolSize: 5 });
beforeEach(async () => {
  database = await testDatabase();
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
  store = opened();
});
afterEach(async () => {
  await Promise.all([client.end(), store.close()]);
  await database.drop();
});

const rows = async <R extends object>(text: string, params: unknown[] = []): Promise<R[]> =>
  (await client.query<R>(text, params)).rows;

/** Writes calls of runs from `at`, one run per millisecond. */
const fill = (at: string, calls: number, run = 0): Promise<object[]> =>
  rows(
    `insert into llm_interactions (id, run_id, unit, stage, round, step, attempt, provider, model, prompt_id, request_hash,
       request, draw, state, content, cost_usd, created_at)
     select gen_random_uuid(), first_run_id_at(t.at), '', 'reason', 1, 1, 1, 'openai', 'm-1', 'p@1', 'h',
       json_build_object('text', repeat('content ', 200)), '{}', 'completed', repeat('answer ', 200), 0.001, t.at
     from generate_series($1::int, $1::int + $2::int - 1) i
       cross join lateral (select ${at} + i * interval '1 ms' as at) t`,
    [run, calls],
  );
const MIDDLE_OF_M1 = `date_trunc('month', now()) - interval '2 months' + interval '10 days'`;
const erase = (where = 'true'): Promise<object[]> =>
  rows(`update llm_interactions set content = null, request = '{"erased":true}' where ${where}`);
const months = async (): Promise<Record<string, number>> => {
  const all = await rows<{ name: string; n: number }>(
    `select tableoid::regclass::text as name, count(*)::int as n from llm_interactions group by 1`,
  );
  return Object.fromEntries(all.map(({ name, n }) => [name.replace('calls_by_month.', ''), n]));
};

describe('months of model calls', () => {
  it('are there for three months, and added once', async () => {
    const last = `select until_id > first_run_id_at(now() + interval '3 months') as enough from months_of_calls
      order by until_id desc limit 1`;
    expect(await rows(last)).toEqual([{ enough: true }]);
    expect(await store.callMonths.addAhead()).toBe(0);
    const [newest] = await rows<{ name: string }>(
      'select name from months_of_calls order by until_id desc limit 1',
    );
    await rows(`drop table calls_by_month.${newest?.name}`);
    expect(await rows(last)).toEqual([{ enough: false }]);
    expect(await store.callMonths.addAhead()).toBe(1);
    expect(await rows(last)).toEqual([{ enough: true }]);
  });

  it('take over a call that was written before its month was added', async () => {
    await fill(`date_trunc('month', now()) + interval '7 months 3 days'`, 2);
    expect(await months()).toEqual({ others: 2 });
    for (let i = 0; i < 8; i += 1) await rows(`select add_month_of_calls(now() + interval '8 months')`);
    const [name] = Object.keys(await months());
    expect(name).toMatch(/^m\d{4}_\d{2}$/);
    expect(await months()).toEqual({ [name as string]: 2 });
  });

  it('give back the space of erased calls once all calls of the month are erased', async () => {
    await addPastMonths(database.url, 2);
    await fill(MIDDLE_OF_M1, 30);
    await fill('now()', 5);
    const { callMonths } = store;
    expect(await callMonths.erased()).toEqual([]);
    await erase(`run_id >= (select run_id from llm_interactions order by run_id offset 20 limit 1)`);
    expect(await callMonths.erased()).toEqual(['m1']);
    expect(await callMonths.copyErased('m1', 7)).toBe('kept');
    await erase();
    const before = await rows('select * from llm_interactions order by id');
    expect(await callMonths.erased()).toEqual(['m1']);
    const steps = [];
    for (let step = ''; step !== 'all'; steps.push(step)) step = await callMonths.copyErased('m1', 7);
    expect(steps).toEqual(['more', 'more', 'more', 'more', 'all']);
    const sizes = await callMonths.replace('m1');
    expect(sizes?.bytesAfter).toBeLessThan(sizes?.bytesBefore ?? 0);
    expect(await rows('select * from llm_interactions order by id')).toEqual(before);
    expect(await months()).toEqual({ m1: 30, m3: 5 });
    expect(await callMonths.erased()).toEqual([]);
    // The place of a call stays unique.
    await expect(
      rows(`insert into llm_interactions select (jsonb_populate_record(x, '{"id":"${UNUSED}"}')).* from llm_interactions x
        where x.run_id < first_run_id_at(now() - interval '1 month')`),
    ).rejects.toThrow(/unique/);
  });

  it('give back the space of a case that was erased, which reads the same before and after', async () => {
    await addPastMonths(database.url, 1);
    const { callMonths, erasures, record } = store;
    const { caseId } = await judge(store, `date_trunc('month', now()) - interval '3 days'`);
    expect(await months()).toEqual({ m1: 2 });
    expect(await callMonths.erased()).toEqual([]);
    await rows('update deliveries set delivered_at = now()');
    const asked = { by: 'ann', reason: 'asked', subject: null };
    await erasures.request({ id: randomUUID(), caseIds: [caseId], classes: ['prompts'], ...asked });
    await erasures.eraseNext(10, async () => {});
    const before = await record.getCase(caseId);
    expect(before?.runs[0]?.interactions).toHaveLength(2);
    expect(await callMonths.erased()).toEqual(['m1']);
    expect(await callMonths.copyErased('m1', 10)).toBe('all');
    expect(await callMonths.replace('m1')).not.toBeNull();
    expect(await record.getCase(caseId)).toEqual(before);
  });

  it('are copied on by another process, also if a migration added a column meanwhile', async () => {
    await addPastMonths(database.url, 1);
    await fill(`date_trunc('month', now()) - interval '3 days'`, 9);
    await erase();
    expect(await store.callMonths.copyErased('m1', 4)).toBe('more');
    const other = opened();
    expect(await other.callMonths.copyErased('m1', 4)).toBe('more');
    const copied = 'select count(*)::int as n from calls_by_month.m1_compact';
    expect(await rows(copied)).toEqual([{ n: 8 }]);
    await rows('alter table llm_interactions add column later text');
    await other.close();
    const newer = opened();
    expect(await newer.callMonths.copyErased('m1', 4)).toBe('more');
    expect(await rows(copied)).toEqual([{ n: 4 }]);
    await newer.close();
  });

  it.each(['insert', 'update'])(
    'are copied again after an %s of a call that was copied or passed',
    async (act) => {
      await addPastMonths(database.url, 1);
      await fill(`date_trunc('month', now()) - interval '3 days'`, 6, 10);
      await erase();
      const { callMonths } = store;
      expect(await callMonths.copyErased('m1', 4)).toBe('more');
      // A run that was parked long ago continues.
      if (act === 'insert') await fill(`date_trunc('month', now()) - interval '3 days'`, 1);
      else
        await rows(
          `update llm_interactions set cost_usd = 2 where run_id = (select min(run_id::text)::uuid from llm_interactions)`,
        );
      expect(await callMonths.replace('m1')).toBeNull();
      if (act === 'insert') {
        expect(await callMonths.copyErased('m1', 4)).toBe('kept');
        expect(await callMonths.replace('m1')).toBeNull();
        await erase();
      }
      const before = await rows('select * from llm_interactions order by id');
      for (let step = ''; step !== 'all';) step = await callMonths.copyErased('m1', 4);
      expect(await callMonths.replace('m1')).not.toBeNull();
      expect(await rows('select * from llm_interactions order by id')).toEqual(before);
    },
  );

  it('are not replaced by a copy that is not complete, or that another process begins again', async () => {
    await addPastMonths(database.url, 1);
    await fill(`date_trunc('month', now()) - interval '3 days'`, 6);
    await erase();
    const { callMonths } = store;
    expect(await callMonths.replace('m1')).toBeNull();
    expect(await callMonths.copyErased('m1', 4)).toBe('more');
    expect(await callMonths.replace('m1')).toBeNull();
    await rows('begin');
    await rows(`select pg_advisory_xact_lock(hashtextextended('calls_by_month', 0))`);
    expect(await callMonths.copyErased('m1', 4)).toBe('kept');
    await rows('commit');
    expect(await callMonths.copyErased('m1', 4)).toBe('all');
    expect(await callMonths.replace('m1')).not.toBeNull();
    expect(await months()).toEqual({ m1: 6 });
  });

  it.each(['America/New_York', 'Europe/Berlin', 'Pacific/Auckland'])(
    'begin at midnight UTC if the database has the time zone %s',
    async (zone) => {
      await client.query(`set timezone = '${zone}'`);
      for (let i = 0; i < 30; i += 1) await rows(`select add_month_of_calls(now() + interval '24 months')`);
      const all = await rows<{ name: string; from: string; until: string }>(
        `select name, to_char(time_of_run_id(from_id) at time zone 'UTC', 'YYYY_MM_DD_HH24') as from,
           to_char(time_of_run_id(until_id) at time zone 'UTC', 'YYYY_MM_DD_HH24') as until
         from months_of_calls where from_id is not null`,
      );
      expect(all.length).toBeGreaterThanOrEqual(23);
      for (const { name, from, until } of all) {
        expect(from).toBe(`${name.slice(1)}_01_00`);
        expect(until).toMatch(/_01_00$/);
      }
    },
  );

  it('are not added while a backup reads the table', async () => {
    const [newest] = await rows<{ name: string }>(
      'select name from months_of_calls order by until_id desc limit 1',
    );
    await rows(`drop table calls_by_month.${newest?.name}`);
    await rows('begin');
    await rows('select count(*) from llm_interactions');
    expect(await store.callMonths.addAhead()).toBe(0);
    await rows('commit');
    expect(await store.callMonths.addAhead()).toBe(1);
  });

  it('are not replaced while a long statement needs the table', async () => {
    await addPastMonths(database.url, 1);
    await fill(`date_trunc('month', now()) - interval '3 days'`, 3);
    await erase();
    expect(await store.callMonths.copyErased('m1', 10)).toBe('all');
    await rows('begin');
    await rows('select count(*) from llm_interactions');
    expect(await store.callMonths.replace('m1')).toBeNull();
    await rows('commit');
    expect(await store.callMonths.replace('m1')).not.toBeNull();
    expect(await months()).toEqual({ m1: 3 });
  });

  it('of the past are not read by the steps of a case', async () => {
    await addPastMonths(database.url, 3);
    for (const back of [1, 2, 3])
      await fill(`date_trunc('month', now()) - interval '${back} months' + interval '2 days'`, 500);
    await client.query('vacuum analyze llm_interactions');
    const scans = async (which: string): Promise<number> => {
      const [sum] = await rows<{ n: number }>(
        `select sum(coalesce(idx_scan, 0) + seq_scan)::int as n from pg_stat_user_tables
         where schemaname = 'calls_by_month' and relname ${which}`,
      );
      return sum?.n ?? 0;
    };
    await client.query('select pg_stat_force_next_flush()');
    const past = await scans(`in ('m1', 'm2', 'm3')`);
    const current = await scans(`= 'm4'`);
    const judging = opened();
    // Also on a version of Postgres on which the store switches it off.
    judging.database.pool.on('acquire', (client) => void client.query('set enable_partition_pruning = on'));
    await judge(judging, 'now()');
    await judging.close();
    // A session reports its statistics when its server process ends, a moment after the connection is closed.
    const sessions = `select from pg_stat_activity where datname = current_database() and application_name = 'casefile'`;
    await until('the sessions have ended', async () => (await rows(sessions)).length === 0);
    expect(await scans(`= 'm4'`)).toBeGreaterThan(current);
    expect(await scans(`in ('m1', 'm2', 'm3')`)).toBe(past);
  });
});

const UNUSED = '00000000-0000-4000-8000-000000000000';

/** Takes a case, whose ids are of a time, through accept, claim, two model calls, a tool call and verdict. */
async function judge(of: PostgresStore, at: string): Promise<{ caseId: string }> {
  const ids = countingIds();
  const [{ first = '' } = {}] = await rows<{ first: string }>(`select first_run_id_at(${at})::text as first`);
  const id = (): string => first.slice(0, 13) + ids.id().slice(13);
  const bench = new StoreBench(of, { ...ids, id }, async () => {});
  const { runId, caseId } = await bench.accept();
  const { lease } = await bench.claim(runId);
  const call = bench.intent(lease);
  await of.interactions.intend(call);
  const next = bench.intent(lease, { step: 2 }, [aResult(call.interaction.id)]);
  await of.interactions.intend(next);
  await bench.commit(lease, advanceTo('collect'), { results: [aResult(next.interaction.id)] });
  const { lease: collecting } = await bench.claim(runId, { stage: 'collect' });
  const [lookUp = ''] = await bench.suspend(collecting, ['rdap']);
  await bench.settle(lookUp);
  await bench.decide(runId, { stage: 'collect' });
  return { caseId };
}
