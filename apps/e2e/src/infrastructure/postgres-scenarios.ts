import { startPgbouncer } from '../testing/pgbouncer.js';
import { installation, judgeAll, refusal } from './judging.js';
import type { Scenario, Site } from './scenario.js';

async function pooled(site: Site, mode: 'transaction' | 'session') {
  const database = await site.database();
  site.onEnd(() => database.drop());
  const pooler = await startPgbouncer(database.url, mode);
  site.onEnd(() => pooler.stop());
  return { direct: database.url, pooled: pooler.url };
}

/** Forms and failures of Postgres. */
export const POSTGRES_SCENARIOS: readonly Scenario[] = [
  {
    name: 'pgbouncer-transaction',
    what: 'PgBouncer in transaction mode, without `DATABASE_DIRECT_URL`',
    refuses: /DATABASE_DIRECT_URL.*PgBouncer in transaction mode/s,
    run: async (site) => {
      const urls = await pooled(site, 'transaction');
      const env = () => ({ DATABASE_URL: urls.pooled });
      const made = await installation(site, { databaseUrl: urls.direct, queueUrl: urls.direct, env });
      return refusal(site, made);
    },
  },
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
];
