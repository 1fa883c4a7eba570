import type { Budgets, BudgetState } from '@casefile/contracts';
import type { Database } from '../database.js';
import { iso } from '../rows.js';

type BudgetRow = Omit<BudgetState, 'changedAt'> & { changed_at: Date };

const STATES = `
  select key, "window", measure, "limit"::float8, reserved::float8, spent::float8, warned, changed_at
  from budgets
  where (key, "window") in (
    (select key, "window" from budgets order by changed_at desc, key, "window" limit $1)
    union select * from unnest($2::text[], $3::text[]))
  order by changed_at desc, key, "window"`;

/** Budgets, to be read. They are written by the statements that write intents and results. */
export function postgresBudgets(database: Database): Budgets {
  return {
    budgetStates: async (limit, named = []) => {
      const keys = named.map(({ key }) => key);
      const windows = named.map(({ window }) => window);
      const rows = await database.rows<BudgetRow>(STATES, [limit, keys, windows]);
      return rows.map(({ changed_at: changedAt, ...row }) => ({ ...row, changedAt: iso(changedAt) }));
    },
  };
}
