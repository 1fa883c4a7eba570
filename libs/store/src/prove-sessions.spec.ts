import { silentLogger } from '@casefile/contracts';
import pg from 'pg';
import { createPostgresStore } from './create-postgres-store.js';
import { Database } from './database.js';
import { migrate, missingMigrations } from './migrate.js';
import { proveSessions } from './prove-sessions.js';
import { testDatabase, type TestDatabase } from './testing/index.js';

describe('the database of an installation', () => {
  let database: TestDatabase;
  let admin: pg.Client;
  let name: string;

  beforeAll(async () => {
    database = await testDatabase();
    admin = new pg.Client(database.url);
    await admin.connect();
    name = decodeURIComponent(new URL(database.url).pathname.slice(1));
  });
  afterAll(async () => {
    await admin.end();
    await database.drop();
  });

  it('is used directly if its sessions last', async () => {
    expect(await proveSessions({ databaseUrl: database.url })).toEqual([]);
  });

  it('names the settings that the user of a pooler lacks, as statements', async () => {
    await admin.query(`alter database ${name} set datestyle = 'German'`);
    const { rows } = await admin.query<{ version: number }>(
      `select current_setting('server_version_num')::int as version`,
    );
    const version = rows[0]!.version;
    const statements = await proveSessions({ databaseUrl: database.url, directUrl: database.url });
    expect(statements).toEqual([
      'alter role casefile set enable_seqscan = off;',
      'alter role casefile set jit = off;',
      'alter role casefile set plan_cache_mode = force_generic_plan;',
      'alter role casefile set datestyle = ISO, MDY;',
      ...(version >= 180_000 ? ['alter role casefile set enable_partition_pruning = off;'] : []),
    ]);
  });

  it('is read under any form of dates', async () => {
    await admin.query(`alter database ${name} set datestyle = 'SQL, DMY'`);
    const store = new Database({ databaseUrl: database.url, poolSize: 1, log: silentLogger });
    const [row] = await store.rows<{ at: Date }>(`select timestamptz '2026-03-04 05:06:07Z' as at`);
    expect(row?.at.toISOString()).toBe('2026-03-04T05:06:07.000Z');
    await store.close();
  });

  it('has an id of its record that stays', async () => {
    const ids = [];
    for (let i = 0; i < 2; i += 1) {
      const store = createPostgresStore({ databaseUrl: database.url, poolSize: 2 });
      ids.push(await store.recordId());
      await store.close();
    }
    expect(ids[0]).toMatch(/^[0-9a-f-]{36}$/);
    expect(ids[1]).toBe(ids[0]);
  });
});

describe('a user without the right to change tables', () => {
  it('starts on a migrated database, and is told what to do on another', async () => {
    const migrated = await testDatabase();
    const admin = new pg.Client(migrated.url);
    await admin.connect();
    const empty = `empty_${Math.random().toString(36).slice(2)}`;
    await admin.query(`create database ${empty}`);
    const emptyUrl = migrated.url.replace(/\/casefile_test_\w+/, `/${empty}`);
    const role = `plain_${Math.random().toString(36).slice(2)}`;
    const as = (url: string) => url.replace('//casefile@', `//${role}@`);
    try {
      await admin.query(`create role ${role} login`);
      await admin.query(`grant select on all tables in schema public to ${role}`);
      expect(await migrate(as(migrated.url))).toEqual([]);
      const missing = await missingMigrations(as(emptyUrl));
      expect(missing.length).toBeGreaterThan(10);
      await expect(migrate(as(emptyUrl))).rejects.toMatchObject({
        message: expect.stringMatching(/lacks a right: permission denied.*`casefile migrate`/),
      });
      expect(await missingMigrations(as(emptyUrl))).toEqual(missing);
    } finally {
      await admin.query(`drop database ${empty}`);
      await admin.query(`drop owned by ${role}; drop role ${role}`);
      await admin.end();
      await migrated.drop();
    }
  });
});
