/** What a budget is counted in: millionths of a US dollar, or tokens. Both are whole numbers, so that sums are exact. */
export const BUDGET_MEASURES = ['usd', 'tokens'] as const;
export type BudgetMeasure = (typeof BUDGET_MEASURES)[number];

/** Millionths in one US dollar. */
export const MICROS = 1_000_000;

/** A part of one budget, taken before a call at its worst case and settled with its result. */
export interface Reservation {
  /** Whose budget: `day:usd`, `case:<caseId>:tokens`, `playbook:<name>:usd`, `lane:batch:usd`. */
  key: string;
  /** Which period of it: a day (`2026-01-05`), or `all` for one that never starts again. */
  window: string;
  measure: BudgetMeasure;
  /** The worst case of the call, in the measure. */
  amount: number;
  /** What may be reserved and spent together within the window, in the measure. */
  limit: number;
  /** From here on the budget is nearly used up: told once a window (`budget.soft`). */
  softAt: number;
}

/** What a call came to, for the budgets it had reserved in; null: not known, the worst case stands. */
export interface Charge {
  /** Millionths of a US dollar. */
  usd: number | null;
  tokens: number | null;
}

/** One window of one budget. */
export interface BudgetState {
  key: string;
  window: string;
  measure: BudgetMeasure;
  limit: number;
  reserved: number;
  spent: number;
  /** Was it told that it is nearly used up? */
  warned: boolean;
  changedAt: string;
}

/** Budgets, as people and metrics read them. Calls write them by `intend`, `commit` and `claim`. */
export interface Budgets {
  /** The windows that changed last, newest first; the windows `named` are among them, however long ago they changed. */
  budgetStates(limit: number, named?: readonly Pick<BudgetState, 'key' | 'window'>[]): Promise<BudgetState[]>;
}
