import type { BudgetFigures } from '@casefile/contracts';
import { countText, moneyText } from '../../format/numbers.js';

/** One budget as it is shown. `gone` (spent and reserved) and `limit` are in the budget's measure. */
export interface BudgetRow {
  /** Unique among the rows. */
  key: string;
  name: string;
  gone: number;
  limit: number;
  goneText: string;
  limitText: string;
}

/** Most budgets of single cases and batches shown. Those with the largest spent share are shown. */
const CASES_SHOWN = 5;
const EACH_CASE = 'case:*';

/**
 * Returns the budgets of today and of cases with a name: `a day`, `lane batch`, `each case`. Amounts are in
 * dollars or tokens. Budgets of earlier days are omitted.
 */
export function budgetRows(budgets: readonly BudgetFigures[]): BudgetRow[] {
  const windows = budgets.map(({ window }) => window).filter((window) => window !== 'all');
  const today = windows.sort().at(-1);
  const isOfCase = ({ key }: BudgetFigures): boolean =>
    /^(case|batch):/.test(key) && !key.startsWith(EACH_CASE);
  const general = budgets.filter(
    (budget) => !isOfCase(budget) && (budget.window === 'all' || budget.window === today),
  );
  const cases = budgets.filter(isOfCase).sort((a, b) => budgetFigureShare(b) - budgetFigureShare(a));
  return [...general, ...cases.slice(0, CASES_SHOWN)].map(budgetRow);
}

function budgetRow(budget: BudgetFigures): BudgetRow {
  const { key, window, measure, limit, spent, reserved } = budget;
  const isMoney = measure === 'usd';
  const gone = spent + reserved;
  return {
    key: `${key} ${window}`,
    name: keyName(key),
    gone,
    limit,
    goneText: isMoney ? moneyText(budget.spentUsd + budget.reservedUsd) : countText(gone),
    limitText: isMoney ? moneyText(budget.limitUsd) : `${countText(limit)} tokens`,
  };
}

// Parses `day:usd`, `lane:batch:tokens` or `case:<id>:usd` into scope, name and unit.
function keyName(key: string): string {
  const [scope = key, ...rest] = key.split(':').slice(0, -1);
  if (scope === 'day') return 'per day, all kinds';
  if (scope === 'batch') return `batch ${rest[0] ?? ''}`;
  if (scope === 'case') return rest[0] === '*' ? 'per case' : `case ${rest[0] ?? ''}`;
  return `per day, ${scope} ${rest.join(':')}`;
}

const budgetFigureShare = ({ spent, reserved, limit }: BudgetFigures): number => (spent + reserved) / limit;
