import { z } from 'zod';
import type { Nudge } from '../job.js';

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

/** `POST /cases/{caseId}/budget`: by how much the budget is raised that a run of the case waits for. */
export const raiseBudgetSchema = z
  .strictObject({
    usd: z.number().positive().max(1_000_000).optional().describe('US dollars.'),
    tokens: z.int().positive().max(1_000_000_000_000).optional(),
    by: z.string().min(1).max(100).optional().describe('Who says so; left out: `console`.'),
  })
  .refine(({ usd, tokens }) => (usd === undefined) !== (tokens === undefined), {
    error: 'expected either usd or tokens',
    path: ['usd'],
  });
export type RaiseBudget = z.infer<typeof raiseBudgetSchema>;

/** What came of it: the run goes on. Amounts are in the budget's measure, dollars in millionths. */
export const raisedBudgetSchema = z.object({
  runId: z.string(),
  key: z.string(),
  window: z.string(),
  limit: z.number(),
  spent: z.number(),
});
export type RaisedBudget = z.infer<typeof raisedBudgetSchema>;

/** Budgets, as people and metrics read them. Calls write them by `intend`, `commit` and `claim`. */
export interface Budgets {
  /** The windows that changed last, newest first; the windows `named` are among them, however long ago they changed. */
  states(limit: number, named?: readonly Pick<BudgetState, 'key' | 'window'>[]): Promise<BudgetState[]>;
  /**
   * Adds to the budget that the newest parked run of the case waits for, in the transaction that sends the run on. Events
   * `run.redriven`, `operator.redrove`, `operator.raised-budget`.
   * @throws CasefileError `unknown_case`, `conflict` (no run of it waits for a budget); InvalidInput naming the measure.
   */
  raise(raise: {
    caseId: string;
    measure: BudgetMeasure;
    amount: number;
    by: string;
  }): Promise<{ runId: string; budget: BudgetState; nudges: Nudge[] }>;
}
