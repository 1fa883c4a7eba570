import { CasefileError, createKeySchema, noTelemetry } from '@casefile/contracts';
import { manualClock } from '@casefile/contracts/testing';
import { SenderBudgets } from './sender-budgets.js';

const HOUR_MS = 3_600_000;

function setUp(dailyUsd: number | undefined = 2) {
  const clock = manualClock(Date.parse('2026-01-05T22:00:00Z'));
  const asked: string[] = [];
  const record = { usd: 0, isGone: false };
  const spentSince = async (name: string, since: string) => {
    asked.push(`${name} ${since}`);
    if (record.isGone) throw new CasefileError('store_unreachable', 'gone', { retryable: true });
    return record.usd;
  };
  const budgets = new SenderBudgets({ keys: { spentSince }, clock, telemetry: noTelemetry });
  const check = () => budgets.check({ name: 'gateway', limits: { kinds: ['incident'], dailyUsd } });
  return { budgets, check, clock, asked, record };
}

describe('the daily budget of a key', () => {
  it('S2-21 is used up when the runs of the day have cost it, until the next UTC day', async () => {
    const { check, clock, asked, record } = setUp();
    record.usd = 1.999_999;
    await check();
    record.usd = 2;
    clock.advance(5_000);
    await expect(check()).rejects.toMatchObject({
      reasonCode: 'budget_exhausted',
      message: expect.stringMatching(
        /^The key gateway may spend \$2 per UTC day, .* have cost \$2\./,
      ) as string,
      retryAfterMs: 2 * HOUR_MS - 5_000,
      retryable: false,
    });
    record.usd = 0;
    clock.advance(2 * HOUR_MS - 5_000);
    await check();
    expect(asked).toEqual([
      'gateway 2026-01-05T00:00:00.000Z',
      'gateway 2026-01-05T00:00:00.000Z',
      'gateway 2026-01-06T00:00:00.000Z',
    ]);
  });

  it('is read once for all alerts of 5 s, and again in a new day', async () => {
    const { check, clock, asked } = setUp();
    await Promise.all([check(), check(), check()]);
    clock.advance(4_999);
    await check();
    expect(asked).toHaveLength(1);
    clock.advance(1);
    await check();
    expect(asked).toHaveLength(2);
    clock.advance(2 * HOUR_MS - 5_001);
    await check();
    clock.advance(1);
    await check();
    expect(asked.slice(2)).toEqual(['gateway 2026-01-05T00:00:00.000Z', 'gateway 2026-01-06T00:00:00.000Z']);
  });

  it('is read again after a failure, which refuses the alert', async () => {
    const { check, record } = setUp();
    record.isGone = true;
    await expect(check()).rejects.toMatchObject({ reasonCode: 'store_unreachable' });
    record.isGone = false;
    await check();
  });

  it.each([
    [{ scopes: ['intake'], limits: { dailyUsd: 0.5 } }, []],
    [{ scopes: ['intake'], limits: { dailyUsd: 0 } }, ['limits.dailyUsd']],
    [{ scopes: ['intake'], limits: { dailyUsd: 1_000_001 } }, ['limits.dailyUsd']],
    [{ scopes: ['intake'], limits: { dailyUsd: '5' } }, ['limits.dailyUsd']],
    [{ scopes: ['metrics'], limits: { dailyUsd: 5 } }, ['limits']],
    [{ role: 'viewer', limits: { dailyUsd: 5 } }, ['limits']],
  ])('is accepted in %j except for the fields %j', (rights, wrong) => {
    const { error } = createKeySchema.safeParse({ name: 'gateway', by: 'ann', ...rights });
    expect((error?.issues ?? []).map(({ path }) => path.join('.'))).toEqual(wrong);
  });

  it('is not read for a key without one', async () => {
    const { budgets, asked } = setUp();
    await budgets.check({ name: 'gateway' });
    await budgets.check({ name: 'gateway', limits: { kinds: ['incident'] } });
    expect(asked).toEqual([]);
  });
});
