import { pause, temporaryFolder } from '@casefile/contracts/testing';
import { startPostgres, startPostgresWithStandby, type PostgresServer } from '@casefile/embedded/testing';
import { migrate } from '@casefile/store';
import pg from 'pg';
import { lineTo } from '../testing/line-to.js';
import { startPgbouncer } from '../testing/pgbouncer.js';
import { installation, judgeAll, refusing } from './judging.js';
import type { Scenario, Site } from './scenario.js';

const OUTAGE_MS = 3_000;

async function pooled(site: Site, mode: 'transaction' | 'session') {
  const database = await site.database();
  site.onEnd(() => database.drop());
  const pooler = await startPgbouncer(database.url, mode);
  site.onEnd(() => pooler.stop());
  return { direct: database.url, pooled: pooler.url };
}

async function statement(url: string, text: string): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  await client.query(text).finally(() => client.end());
}

/** Starts a server of its own, with an empty database that has all tables. Returns the URL of the database. */
async function ownPostgres(site: Site, settings: Record<string, string | number> = {}) {
  const server = await startPostgres({ dir: temporaryFolder('infrastructure-postgres'), settings });
  site.onEnd(() => server.stop());
  return { server, databaseUrl: await migrated(server) };
}

async function withStandby(site: Site) {
  const both = await startPostgresWithStandby(temporaryFolder('infrastructure-standby'));
  site.onEnd(() => both.primary.stop());
  site.onEnd(() => both.standby.stop());
  return { ...both, databaseUrl: await migrated(both.primary) };
}

async function migrated(server: PostgresServer): Promise<string> {
  await statement(server.url('postgres'), 'create database casefile');
  await migrate(server.url('casefile'));
  return server.url('casefile');
}

/** Forms and failures of Postgres. */
export const POSTGRES_SCENARIOS: readonly Scenario[] = [
  refusing(
    'pgbouncer-transaction',
    'PgBouncer in transaction mode, without `DATABASE_DIRECT_URL`',
    /DATABASE_DIRECT_URL.*PgBouncer in transaction mode/s,
    async (site) => {
      const urls = await pooled(site, 'transaction');
      const env = () => ({ DATABASE_URL: urls.pooled });
      return installation(site, { databaseUrl: urls.direct, queueUrl: urls.direct, env });
    },
  ),
  ...(['transaction', 'session'] as const).map((mode): Scenario => ({
    name: mode === 'transaction' ? 'pgbouncer-direct' : 'pgbouncer-session',
    what:
      mode === 'transaction'
        ? 'PgBouncer in transaction mode, with `DATABASE_DIRECT_URL`'
        : 'PgBouncer in session mode',
    refuses: null,
    run: async (site) => {
      const urls = await pooled(site, mode);
      const direct: Record<string, string> =
        mode === 'transaction' ? { DATABASE_DIRECT_URL: urls.direct } : {};
      const env = () => ({ DATABASE_URL: urls.pooled, ...direct });
      return judgeAll(
        site,
        await installation(site, { databaseUrl: urls.direct, queueUrl: urls.direct, env }),
      );
    },
  })),
  {
    name: 'postgres-killed',
    what: 'Postgres is killed with -9 and is back after 3 s',
    refuses: null,
    run: async (site) => {
      const { server, databaseUrl } = await ownPostgres(site);
      return judgeAll(site, await installation(site, { databaseUrl }), async () => {
        await server.kill9();
        await pause(OUTAGE_MS, 'Postgres is unavailable');
        await server.restart();
      });
    },
  },
  {
    name: 'postgres-failover',
    what: 'the primary is killed with -9, and its synchronous standby promoted under the same address',
    refuses: null,
    run: async (site) => {
      const { primary, standby, databaseUrl } = await withStandby(site);
      const line = await lineTo(databaseUrl);
      site.onEnd(() => line.cut());
      return judgeAll(site, await installation(site, { databaseUrl: line.url }), async () => {
        await primary.kill9();
        await line.cut();
        await statement(standby.url('postgres'), 'select pg_promote()');
        await line.restore(standby.url('casefile'));
      });
    },
  },
  refusing(
    'postgres-standby',
    'the address of a standby, which takes no writes',
    /standby|takes no writes|read-only/,
    async (site) => {
      const { standby, databaseUrl } = await withStandby(site);
      const env = () => ({ DATABASE_URL: standby.url('casefile') });
      return installation(site, { databaseUrl, env });
    },
  ),
  refusing(
    'postgres-few-connections',
    'Postgres with 12 connections, and the queue in the same database',
    /max_connections.*12 connections/s,
    async (site) => installation(site, await ownPostgres(site, { max_connections: 12 })),
  ),
];
