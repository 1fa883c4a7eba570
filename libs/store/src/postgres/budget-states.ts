import type { Budgets, BudgetMeasure } from '@casefile/contracts';
import type { Database } from './database.js';
import { iso } from './rows.js';

interface BudgetRow {
  key: string;
  window: string;
  measure: BudgetMeasure;
  limit: number;
  reserved: number;
  spent: number;
  warned: boolean;
  changed_at: Date;
}

const STATES = `
  select key, "window", measure, "limit"::float8, reserved::float8, spent::float8, warned, changed_at
  from budgets order by changed_at desc, key, "window" limit $1`;

/** Budgets, to be read. They are written by the statements that write intents and results. */
export function postgresBudgets(database: Database): Budgets {
  return {
    budgetStates: async (limit) => {
      const rows = await database.rows<BudgetRow>(STATES, [limit]);
      return rows.map(({ changed_at: changedAt, ...row }) => ({ ...row, changedAt: iso(changedAt) }));
    },
  };
}
