import { randomUUID } from 'node:crypto';
import { until } from '@casefile/contracts/testing';
import { launchedServices } from '../testing/launched-services.js';
import { startPgbouncer, type Pooler } from '../testing/pgbouncer.js';
import { systemDatabase } from '../testing/system-database.js';

const CASES = 30;
type Database = Awaited<ReturnType<typeof systemDatabase>>;

const anAlert = () => ({
  text: `Pay at https://parcel-${randomUUID()}.example/pay`,
  playbook: 'scam-verdict',
});

describe('a pooler in front of Postgres', () => {
  let database: Database;
  let pooler: Pooler;
  const launchOn = (env: Record<string, string>) =>
    launchedServices({
      queueUrl: database.url,
      env: () => ({ LLM_PROVIDER: 'none', LOG_LEVEL: 'fatal', DATABASE_URL: pooler.url, ...env }),
    });

  beforeEach(async () => {
    database = await systemDatabase();
  });
  afterEach(async () => {
    await pooler.stop();
    await database.drop();
  });

  it('in transaction mode is refused at the start by name, if no direct address is set', async () => {
    pooler = await startPgbouncer(database.url, 'transaction');
    await expect(launchOn({})).rejects.toThrow(/DATABASE_DIRECT_URL.*PgBouncer in transaction mode/s);
  });

  it.each([
    ['in transaction mode with a direct address', 'transaction'],
    ['in session mode', 'session'],
  ] as const)('%s: every accepted case is decided', async (_name, mode) => {
    pooler = await startPgbouncer(database.url, mode);
    const system = await launchOn(mode === 'transaction' ? { DATABASE_DIRECT_URL: database.url } : {});
    try {
      await Promise.all(Array.from({ length: CASES }, () => system.alert(anAlert())));
      await until('all cases are decided', async () => {
        const [row] = await system.store.database.rows<{ n: number }>(
          'select count(*)::int n from deliveries',
        );
        return row?.n === CASES;
      });
    } finally {
      await system.close();
    }
  });
});
