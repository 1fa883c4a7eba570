import type { BudgetFigures } from '@casefile/contracts';
import { budgetRows } from './budget-rows.js';

const MICROS = 1_000_000;
const tokens = (over: Partial<BudgetFigures>): BudgetFigures => ({
  key: 'day:tokens',
  window: '2026-01-05',
  measure: 'tokens',
  limit: 30_000,
  spent: 0,
  reserved: 0,
  limitUsd: 0,
  spentUsd: 0,
  reservedUsd: 0,
  ...over,
});
const usd = (over: Partial<BudgetFigures>): BudgetFigures => ({
  ...tokens({ key: 'day:usd', measure: 'usd', limit: 5 * MICROS, limitUsd: 5 }),
  ...over,
});

describe('S2-32 budgets for people', () => {
  it('are in tokens where they count tokens, in dollars where they count money', () => {
    const rows = budgetRows([
      tokens({ spent: 27_000, reserved: 403 }),
      usd({ spentUsd: 0.5, spent: 500_000 }),
    ]);
    expect(rows).toMatchObject([
      {
        name: 'per day, all kinds',
        gone: 27_403,
        limit: 30_000,
        goneText: '27,403',
        limitText: '30,000 tokens',
      },
      { name: 'per day, all kinds', gone: 500_000, limit: 5_000_000, goneText: '$0.50', limitText: '$5.00' },
    ]);
    expect(new Set(rows.map(({ key }) => key)).size).toBe(2);
  });

  it('are those of today, and of cases those that are nearly gone', () => {
    const cases = Array.from({ length: 9 }, (_, i) =>
      tokens({ key: `case:c${i}:tokens`, window: 'all', spent: i * 1_000 }),
    );
    const yesterday = tokens({ window: '2026-01-04', spent: 30_000 });
    const each = tokens({ key: 'case:*:tokens', window: 'all' });
    const lane = tokens({ key: 'lane:batch:tokens' });
    expect(budgetRows([yesterday, ...cases, lane, each]).map(({ name }) => name)).toEqual([
      'per day, lane batch',
      'per case',
      ...['c8', 'c7', 'c6', 'c5', 'c4'].map((id) => `case ${id}`),
    ]);
  });
});
