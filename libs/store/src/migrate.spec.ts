import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { until } from '@casefile/contracts/testing';
import { migrate } from './migrate.js';
import { onDatabase } from './testing/test-database.js';

const serverUrl = process.env['CASEFILE_TEST_POSTGRES'] ?? '';
/** The migrations that divide the model calls begin here. */
const isOlder = (name: string): boolean => name < '20261128';

let name: string;
let url: string;
const clients: pg.Client[] = [];
async function connected(to = url): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: to });
  await client.connect();
  clients.push(client);
  return client;
}
beforeEach(async () => {
  name = `casefile_test_${randomUUID().replaceAll('-', '')}`;
  url = onDatabase(serverUrl, name);
  await (await connected(serverUrl)).query(`create database ${name}`);
  await migrate(url, isOlder);
});
afterEach(async () => {
  const [server, ...others] = clients.splice(0);
  await Promise.all(others.map((client) => client.end()));
  await server?.query(`drop database ${name} with (force)`);
  await server?.end();
});

const WRITE = `
  insert into llm_interactions (id, run_id, unit, stage, round, step, attempt, provider, model, prompt_id, request_hash,
    request, draw)
  select gen_random_uuid(), (lpad(to_hex((extract(epoch from now() + $1::interval) * 1000)::bigint + i), 12, '0') || repeat('0', 20))::uuid,
    '', 'reason', 1, 1, 1, 'openai', 'm-1', 'p@1', 'h', '{}', '{}' from generate_series(1, $2::int) i`;

const WAITING = `
  select from pg_locks l join pg_stat_activity a using (pid)
  where not l.granted and a.application_name = 'casefile-migrate' and a.datname = current_database()`;

describe('the division of a filled table of model calls', () => {
  it('keeps all calls and the rights of roles, in a database with another time zone', async () => {
    const client = await connected();
    const role = `reader_${name.slice(-8)}`;
    await client.query(`alter database ${name} set timezone = 'America/New_York'`);
    await client.query(WRITE, ['-400 days', 3]);
    await client.query(WRITE, ['0 days', 4]);
    await client.query(`create role ${role}; grant select on llm_interactions to ${role};
      grant update (content) on llm_interactions to ${role}`);
    const all = 'select * from llm_interactions order by id';
    const before = (await client.query(all)).rows;
    expect(await migrate(url)).toContain('20261128000200_calls_by_month');
    expect((await client.query(all)).rows).toEqual(before);
    const { rows } = await client.query(
      `select has_table_privilege($1, 'llm_interactions', 'select') as read,
         has_column_privilege($1, 'llm_interactions', 'content', 'update') as write,
         has_table_privilege($1, 'llm_interactions', 'update') as "writeAll",
         (select date_part('day', time_of_run_id(until_id) at time zone 'UTC') from months_of_calls limit 1) as day`,
      [role],
    );
    expect(rows).toEqual([{ read: true, write: true, writeAll: false, day: 1 }]);
    await client.query(WRITE, ['5 months', 2]);
    expect((await client.query(all)).rowCount).toBe(9);
    await client.query(`drop owned by ${role}; drop role ${role}`);
  });

  it('can be made again over a restored older table', async () => {
    const client = await connected();
    await migrate(url);
    await client.query(`
      create table older (like llm_interactions including all excluding indexes, primary key (id));
      drop table llm_interactions;
      alter table older rename to llm_interactions;
      create unique index llm_interactions_place
        on llm_interactions (run_id, unit, stage, round, step, attempt, tool_call_id) nulls not distinct;
      create index llm_interactions_at on llm_interactions using brin (created_at);
      delete from _prisma_migrations where migration_name between '20261128' and '20261128040000_held_units'`);
    await client.query(WRITE, ['0 days', 2]);
    expect(await migrate(url)).toContain('20261128000200_calls_by_month');
    expect((await client.query('select from llm_interactions')).rowCount).toBe(2);
  });

  it('lets statements pass while it waits for a backup that reads the table', async () => {
    const [backup, service] = [await connected(), await connected()];
    await backup.query('begin');
    await backup.query('select from llm_interactions');
    let isOver = false;
    const migrated = migrate(url).finally(() => (isOver = true));
    const isWaiting = async (): Promise<boolean> => ((await service.query(WAITING)).rowCount ?? 0) > 0;
    await until('the migration waits', isWaiting);
    // These wait behind the migration until it gives up for a while.
    for (let i = 0; i < 20; i += 1) await service.query(WRITE, [`${i} minutes`, 1]);
    expect(isOver).toBe(false);
    await backup.query('commit');
    expect(await migrated).toContain('20261128000200_calls_by_month');
    expect((await service.query('select from llm_interactions')).rowCount).toBe(20);
  });
});

describe('an index that is built while services run', () => {
  const INDEXES = ['units_sweep_live', 'tool_calls_sweep_live'];
  const isNotBuilt = (migration: string): boolean => migration < '2026112802';
  const build = (): Promise<string[]> => migrate(url, (migration) => migration < '2026112803');
  const builtIndexes = async (client: pg.Client): Promise<string[]> => {
    const { rows } = await client.query<{ name: string }>(
      'select indexrelid::regclass::text as name from pg_index where indisvalid and indexrelid::regclass::text = any($1)',
      [INDEXES],
    );
    return rows.map((row) => row.name);
  };
  const WRITE_UNIT = `insert into units (run_id, unit, case_id, lane, stage) select id, $1, case_id, lane, 'triage' from runs`;

  async function blockedBuild(): Promise<{
    reader: pg.Client;
    service: pg.Client;
    built: Promise<string[]>;
  }> {
    await migrate(url, isNotBuilt);
    const [reader, service] = [await connected(), await connected()];
    await service.query(`
      insert into cases (id, playbook, fingerprint, lane) values (gen_random_uuid(), 'scam-verdict', 'f', 'live');
      insert into runs (id, case_id, alert_id, lane, settings) select gen_random_uuid(), id, gen_random_uuid(), lane, '{}' from cases`);
    await reader.query('begin isolation level repeatable read');
    await reader.query('select from units');
    let isOver = false;
    const built = build().finally(() => (isOver = true));
    built.catch(() => undefined);
    await until('the build waits', async () => {
      expect(isOver).toBe(false);
      return (await service.query(WAITING)).rowCount !== 0;
    });
    return { reader, service, built };
  }

  it('waits for an older transaction, and lets writes pass meanwhile', async () => {
    const { reader, service, built } = await blockedBuild();
    // A blocked write would fail the test by its time limit.
    for (let i = 0; i < 20; i += 1) await service.query(WRITE_UNIT, [`u${i}`]);
    expect((await service.query('select from units')).rowCount).toBe(20);
    expect(await builtIndexes(service)).toEqual([]);
    await reader.query('commit');
    expect(await built).toHaveLength(2);
    expect((await builtIndexes(service)).sort()).toEqual([...INDEXES].sort());
  });

  it('is built again if a process died while it built', async () => {
    const { reader, service, built } = await blockedBuild();
    await service.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where application_name = 'casefile-migrate' and datname = current_database()`,
    );
    await expect(built).rejects.toThrow();
    await reader.query('commit');
    expect((await service.query(`select to_regclass('units_sweep_live') as left`)).rows[0]).toEqual({
      left: 'units_sweep_live',
    });
    expect(await builtIndexes(service)).toEqual([]);
    expect(await build()).toHaveLength(2);
    expect(await builtIndexes(service)).toHaveLength(2);
  });

  it('is taken over if the build of a process that died was completed by Postgres', async () => {
    await migrate(url, isNotBuilt);
    const client = await connected();
    await client.query('create index units_sweep_live on units (sweep_minute)');
    const oid = `select 'units_sweep_live'::regclass::oid as oid`;
    const { rows } = await client.query(oid);
    expect(await build()).toHaveLength(2);
    expect((await client.query(oid)).rows).toEqual(rows);
  });

  it('is built also if statements of the role are limited, and says what it waits for', async () => {
    const reader = await connected();
    const service = await connected();
    await migrate(url, isNotBuilt);
    await reader.query('begin isolation level repeatable read');
    await reader.query('select from units');
    await service.query(`alter database ${name} set statement_timeout = 3000`);
    const built = build();
    built.catch(() => undefined);
    // Not in the transaction of the reader, which sees the sessions of its first look.
    await until('the build waits', async () => (await service.query(WAITING)).rowCount !== 0);
    await until('the build takes longer than the limit', async () => {
      const { rows } = await service.query<{ seconds: number }>(
        `select extract(epoch from clock_timestamp() - query_start)::float8 as seconds from pg_stat_activity
         where application_name = 'casefile-migrate' and datname = current_database() and state = 'active'`,
      );
      return rows.some(({ seconds }) => seconds > 3.2);
    });
    await service.query(
      `select pg_cancel_backend(pid) from pg_stat_activity
       where application_name = 'casefile-migrate' and datname = current_database()`,
    );
    await expect(built).rejects.toThrow(
      'migration 20261128020000_sweep_live_units: the index was not built in 15 minutes',
    );
    await reader.query('commit');
    expect(await build()).toHaveLength(2);
  });

  it('is built once if several processes start', async () => {
    await migrate(url, isNotBuilt);
    const applied = await Promise.all([build(), build(), build()]);
    expect(applied.flat()).toHaveLength(2);
    expect(await builtIndexes(await connected())).toHaveLength(2);
  });
});
