import { randomUUID } from 'node:crypto';
import type { JsonObject } from '@casefile/contracts';
import { until } from '@casefile/contracts/testing';
import { readDataSource } from '@casefile/evidence';
import { testDatabase, type TestDatabase } from '@casefile/store/testing';
import pg from 'pg';
import { lineTo, type Line } from '../testing/line-to.js';
import { found, shippedSource, sourceTool, type SourceServer } from './testing/look-up.js';

const PASSWORD = 'a-password';
const role = `reader_${randomUUID().replaceAll('-', '').slice(0, 12)}`;
let database: TestDatabase;
let owner: pg.Client;
let line: Line;
let server: SourceServer;

beforeAll(async () => {
  database = await testDatabase();
  owner = new pg.Client({ connectionString: database.url });
  await owner.connect();
  await owner.query(`create role ${role} login password '${PASSWORD}'`);
  await owner.query(
    `create table orders (id int primary key, customer text, paid_at timestamptz);
     insert into orders select i, 'customer ' || i, '2026-01-05T10:00:00Z' from generate_series(1, 120) as i;
     grant select, insert, update on orders to ${role}; grant pg_monitor to ${role}`,
  );
  // The server of the tests has a Unix socket alone.
  line = await lineTo(database.url);
  const { host, pathname } = new URL(line.url);
  server = { url: `postgres://${host}${pathname}`, secret: `${role}:${PASSWORD}` };
}, 60_000);
afterAll(async () => {
  await line?.cut();
  await owner?.query(`drop owned by ${role}; drop role ${role}`);
  await owner?.end();
  await database?.drop();
});

const about = 'An argument of the test';
/** A source of one statement over the table of the test. */
const ordersSource = (statement: string, more: JsonObject = {}, args: JsonObject = {}) =>
  readDataSource({
    protocol: 'postgres',
    name: 'orders',
    title: 'Orders',
    about: 'Orders of a shop, in this test alone.',
    kinds: ['incident'],
    documentation: 'https://wiki.example/orders',
    limits: { rows: 100, ...more },
    probe: { request: 'look' },
    requests: {
      look: {
        about: 'Looks up orders of the shop.',
        statement,
        arguments: args,
        answer: { subject: 'order {id}', text: '{customer}', time: { at: 'paid_at' } },
      },
    },
  });
const asked = (statement: string, given: JsonObject = {}, args: JsonObject = {}) =>
  found(sourceTool(ordersSource(statement, {}, args), server, 'look'), given);

describe('T-61 PostgreSQL, the shipped source', () => {
  const ask = (request: string, args: JsonObject = {}) =>
    found(sourceTool(shippedSource('postgres'), server, request), args);

  it('answers its probe and each of its statements', async () => {
    const { probe, requests } = shippedSource('postgres');
    expect(await ask(probe.request)).toMatch(/^sessions of the database \S+ = \d+ ; \d+ commits/m);
    for (const request of Object.keys(requests)) expect(await ask(request)).toMatch(/\S/);
    const { pathname } = new URL(database.url);
    expect(await ask('databases', { database: pathname.slice(1) })).toMatch(/^sessions of [^\n]+$/);
    expect(await ask('tables', { table: 'orders' })).toMatch(
      /^size of the table public\.orders = \d+ bytes ; \d+ rows/,
    );
  });

  it('shows a statement that runs, the lock that it waits for, and its age', async () => {
    const other = new pg.Client({ connectionString: database.url });
    await other.connect();
    try {
      await owner.query('begin; lock table orders in access exclusive mode');
      const waiting = other.query('select count(*) from orders');
      await until('the statement waits', async () => (await ask('blocked')).includes('select count(*)'));
      expect(await ask('blocked')).toMatch(
        /^\S+Z pid \d+ waits for a lock of pid \d+ = [\d.]+ s select count\(\*\) from orders; the holder is idle in transaction/,
      );
      expect(await ask('activity', { least_seconds: 0 })).toMatch(/waits for Lock relation: select count/);
      await owner.query('rollback');
      await waiting;
    } finally {
      await other.end();
    }
  });
});

describe('T-61 a statement of a data source', () => {
  it('gets its arguments bound: their content is never a part of the statement', async () => {
    const statement = 'select * from orders where customer = {customer} or id = {id}::int order by id';
    const args = {
      customer: { type: 'text', about },
      id: { type: 'integer', about, optional: true },
    };
    expect(await asked(statement, { customer: 'customer 7', id: 9 }, args)).toBe(
      '2026-01-05T10:00:00Z order 7 customer 7\n2026-01-05T10:00:00Z order 9 customer 9',
    );
    for (const customer of ["' or true --", "'; drop table orders; --", '$1', '{id}', '\\', '");--'])
      expect(await asked(statement, { customer }, args)).toBe('0 results');
    expect(() => ordersSource('select * from orders where customer = {customer}')).toThrow(
      /statement: expected an argument named customer/,
    );
    expect(() => ordersSource('select * from orders', {}, args)).toThrow(
      /expected \{customer\} in the request/,
    );
  });

  it('returns at most the rows of the limit, and states that there are more', async () => {
    const lines = (await asked('select * from orders order by id')).split('\n');
    expect(lines).toHaveLength(101);
    expect(lines[100]).toBe('(note of the source: there are more rows than these 100)');
  });

  it.each([
    ["update orders set customer = 'x' returning *", /syntax error/],
    ["with w as (update orders set customer = 'x' returning *) select * from w", /WITH clause|read-only/],
    ['select 1; delete from orders', /syntax error/],
    ['select 1) as a) as b; delete from orders where (1 = 1', /syntax error|multiple commands/],
    ["select pg_notify('a', 'b'), lo_create(0)", /read-only transaction/],
  ])('writes nothing, although the role may: %s', async (statement, problem) => {
    await expect(asked(statement)).rejects.toThrow(problem);
    const { rows } = await owner.query(`select count(*)::int as kept from orders where customer <> 'x'`);
    expect(rows).toEqual([{ kept: 120 }]);
  });

  it('is ended by the server at its time limit, and is a gap', async () => {
    const source = ordersSource('select pg_sleep(30)::text as id', { timeoutMs: 300 });
    await expect(found(sourceTool(source, server, 'look'), {})).rejects.toMatchObject({
      reasonCode: 'timeout',
      message: expect.stringContaining('statement timeout') as string,
    });
    const abort = AbortSignal.abort();
    await expect(found(sourceTool(source, server, 'look'), {}, abort)).rejects.toMatchObject({
      reasonCode: 'aborted',
    });
  });

  it('is a gap if a row or the whole answer is too large', async () => {
    await expect(asked(`select repeat('x', 200000) as customer`)).rejects.toMatchObject({
      reasonCode: 'too_large',
    });
    const source = ordersSource(`select repeat('x', 900) as customer from orders`, { bytes: 50_000 });
    await expect(found(sourceTool(source, server, 'look'), {})).rejects.toMatchObject({
      reasonCode: 'too_large',
    });
  });

  it('is a gap that states the cause: login, statement, address, superuser', async () => {
    const tool = (over: Partial<SourceServer>) =>
      sourceTool(ordersSource('select * from missing_table'), { ...server, ...over }, 'look');
    await expect(found(tool({}), {})).rejects.toMatchObject({
      reasonCode: 'bad_answer',
      message: expect.stringContaining('relation "missing_table" does not exist') as string,
    });
    await expect(found(tool({ url: 'postgres://127.0.0.1:9/shop' }), {})).rejects.toMatchObject({
      reasonCode: 'network',
    });
    await expect(found(tool({ secret: 'only-a-name' }), {})).rejects.toThrow('user:password');
    await expect(found(tool({ secret: `nobody_${role}:x` }), {})).rejects.toMatchObject({
      reasonCode: 'bad_key',
    });
    const { username, password } = new URL(database.url);
    await expect(found(tool({ secret: `${username}:${password}` }), {})).rejects.toThrow('is a superuser');
  });

  it.each([
    'http://db:5432/shop',
    'postgres://db:5432',
    'postgres://db/shop?host=/tmp',
    'postgres://u:p@db/shop',
  ])('is added with an address of PostgreSQL alone: not %s', (url) => {
    expect(() => sourceTool(shippedSource('postgres'), { url }, 'activity')).toThrow(/url: expected/);
  });
});
