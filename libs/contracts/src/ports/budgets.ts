import { z } from 'zod';
import type { Nudge } from '../job.js';

/**
 * Units of a budget: millionths of a US dollar, or tokens. Both are whole numbers, so that sums are exact.
 */
export const BUDGET_MEASURES = ['usd', 'tokens'] as const;
export type BudgetMeasure = (typeof BUDGET_MEASURES)[number];

/** Millionths in one US dollar. */
export const MICROS = 1_000_000;

/**
 * A part of one budget. It is reserved before a call at the worst case of the call, and settled with the
 * result.
 */
export interface Reservation {
  /** Name of the budget: `day:usd`, `case:<caseId>:tokens`, `playbook:<name>:usd`, `lane:batch:usd`. */
  key: string;
  /** Period of the budget: a day (`2026-01-05`), or `all` for a budget that is never reset. */
  window: string;
  measure: BudgetMeasure;
  /** The worst case of the call, in the measure. */
  amount: number;
  /** Limit for reserved and spent amounts together within the window, in the measure. */
  limit: number;
  /** Warning threshold. Passing it emits `budget.soft` once per window. */
  softAt: number;
}

/**
 * Actual cost of a call, charged to the budgets it reserved from. null: unknown, so the reserved worst case
 * is charged.
 */
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
  /** Whether the warning threshold has been reported. */
  warned: boolean;
  changedAt: string;
}

/**
 * Request of `POST /cases/{caseId}/budget`: the amount to add to the budget that a run of the case waits for.
 */
export const raiseBudgetSchema = z
  .strictObject({
    usd: z.number().positive().max(1_000_000).optional().describe('US dollars.'),
    tokens: z.int().positive().max(1_000_000_000_000).optional(),
    by: z.string().min(1).max(100).optional().describe('Who sends this. Default: `console`.'),
  })
  .refine(({ usd, tokens }) => (usd === undefined) !== (tokens === undefined), {
    error: 'expected either usd or tokens',
    path: ['usd'],
  });
export type RaiseBudget = z.infer<typeof raiseBudgetSchema>;

/**
 * Result of raising a budget. The run continues. Amounts are in the budget's measure (US dollars in
 * millionths).
 */
export const raisedBudgetSchema = z.object({
  runId: z.string(),
  key: z.string(),
  window: z.string(),
  limit: z.number(),
  spent: z.number(),
});
export type RaisedBudget = z.infer<typeof raisedBudgetSchema>;

/** Reads and raises budgets. Calls write budgets through `intend`, `commit` and `claim`. */
export interface Budgets {
  /** Returns the windows that changed last, newest first. The windows in `windows` are always included. */
  states(limit: number, windows?: readonly Pick<BudgetState, 'key' | 'window'>[]): Promise<BudgetState[]>;
  /**
   * Adds to the budget that the newest parked run of the case waits for. The same transaction resumes the
   * run. Events: `run.redriven`, `operator.redrove`, `operator.raised-budget`.
   * @throws CasefileError `unknown_case`; `conflict` if no run of the case waits for a budget; InvalidInput
   * that names the measure.
   */
  raise(raise: {
    caseId: string;
    measure: BudgetMeasure;
    amount: number;
    by: string;
  }): Promise<{ runId: string; budget: BudgetState; nudges: Nudge[] }>;
}
