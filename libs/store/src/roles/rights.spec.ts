import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { TABLES } from '../generated/tables.js';
import { testDatabase, type TestDatabase } from '../testing/index.js';
import { proveRights } from './prove-rights.js';
import { rightsOf, SERVICES_WITH_ROLES } from './rights.js';
import { rolesScript } from './roles-script.js';

const FOLDERS = [new URL('..', import.meta.url), new URL('../../../knowledge/src', import.meta.url)].map(
  (url) => fileURLToPath(url),
);

/** Returns what the statements in the source write, as `right table`. */
function statementsWrite(): Set<string> {
  const files = FOLDERS.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts') && !/spec|testing|generated|schema\/|migrate/.test(name))
      .map((name) => readFileSync(`${folder}/${name}`, 'utf8')),
  );
  const writes = new Set<string>();
  const forms = [
    ['insert', /insert into (\w+)/g],
    ['insert', /insertInto\('(\w+)'/g],
    ['update', /update (\w+)(?: (?:as )?\w+)?\s+set/g],
    ['delete', /delete from (\w+)/g],
  ] as const;
  for (const text of files)
    for (const [right, form] of forms)
      for (const [, table = ''] of text.matchAll(form)) if (table in TABLES) writes.add(`${right} ${table}`);
  return writes;
}

describe('the rights of services', () => {
  const granted = new Set(
    [...rightsOf(SERVICES_WITH_ROLES).tables].flatMap(([table, rights]) =>
      [...rights].map((right) => `${right} ${table}`),
    ),
  );

  it('include what each statement writes', () => {
    const writes = statementsWrite();
    expect(writes.size).toBeGreaterThan(100);
    expect([...writes].filter((one) => !granted.has(one))).toEqual([]);
  });

  it('include inserts and deletions only where a statement makes them', () => {
    // Triggers, helpers with a variable table, and the Prisma Client write these.
    const elsewhere = /case_words|tool_servers|tool_entries|write_probe/;
    const writes = statementsWrite();
    const unused = [...granted].filter(
      (one) => /^insert/.test(one) && !writes.has(one) && !elsewhere.test(one),
    );
    expect(unused).toEqual([]);
  });

  it('let only the service that erases change events, and ingest write no audit entry', () => {
    const who = (right: string, table: string) =>
      SERVICES_WITH_ROLES.filter((service) => rightsOf([service]).tables.get(table)?.has(right) === true);
    expect(who('update', 'events')).toEqual(['decision']);
    expect(who('insert', 'audit_entries')).toEqual(['decision', 'console']);
    expect(who('delete', 'events')).toEqual([]);
  });
});

describe('a start', () => {
  let database: TestDatabase;
  let admin: pg.Client;
  const role = `starts_${process.pid}`;

  beforeAll(async () => {
    database = await testDatabase();
    admin = new pg.Client(database.url);
    await admin.connect();
    await admin.query(rolesScript({ prefix: role, schema: 'public' }));
    await admin.query(`alter role ${role}_ingest password 'p'`);
  });
  afterAll(async () => {
    const names = ['owner', ...SERVICES_WITH_ROLES].map((name) => `${role}_${name.replaceAll('-', '_')}`);
    await admin.query(`drop owned by ${names.join(', ')} cascade; drop role ${names.join(', ')}`);
    await admin.end();
    await database.drop();
  });
  const urlOfIngest = (): string => {
    const url = new URL(database.url);
    [url.username, url.password] = [`${role}_ingest`, 'p'];
    return url.href;
  };

  it('is refused if the role lacks a right, by the name of the right, with the remedy', async () => {
    await expect(proveRights(urlOfIngest(), ['ingest'])).resolves.toBeUndefined();
    await expect(proveRights(urlOfIngest(), ['decision'])).rejects.toThrow(
      /"starts_\d+_ingest" lacks rights that decision needs: .*execute on add_month_of_calls.* and \d+ more\. Run .*casefile database roles/,
    );
    await admin.query(`revoke insert on alerts from ${role}_ingest`);
    await expect(proveRights(urlOfIngest(), ['ingest'])).rejects.toThrow(
      /lacks rights that ingest needs: insert on alerts\. Run the output of `casefile database roles`/,
    );
    await admin.query(rolesScript({ prefix: role, schema: 'public' }));
    await expect(proveRights(urlOfIngest(), ['ingest'])).resolves.toBeUndefined();
  });

  it('under the role of ingest can change no event, write no audit entry and make no table', async () => {
    const ingest = new pg.Client(urlOfIngest());
    await ingest.connect();
    const denied = [
      `update events set data = '{}'`,
      'delete from events',
      'insert into audit_entries select * from audit_entries',
      'create table mine (n int)',
      `select add_month_of_calls(now() + interval '9 years')`,
      'drop table events',
    ];
    for (const statement of denied)
      await expect(ingest.query(statement)).rejects.toThrow(/permission denied|must be owner/);
    await ingest.end();
  });
});
