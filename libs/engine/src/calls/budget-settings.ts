import { LANES, z } from '@casefile/contracts';

const boundSchema = z
  .strictObject({
    /** US dollars. */
    usd: z.number().positive().optional(),
    /** Input and output tokens. */
    tokens: z.number().int().positive().optional(),
    /** Share of the limit from which a budget counts as nearly used up. */
    soft: z.number().min(0).max(1).default(0.8),
  })
  .refine(({ usd, tokens }) => usd !== undefined || tokens !== undefined, {
    error: 'expected usd, tokens or both',
  });
export type BudgetBound = z.infer<typeof boundSchema>;

/** Limits on model calls: per case, and per day (UTC) in total, by playbook and by lane. */
export const budgetSettingsSchema = z.strictObject({
  case: boundSchema.optional(),
  day: boundSchema.optional(),
  playbook: z.record(z.string(), boundSchema).default({}),
  lane: z.partialRecord(z.enum(LANES), boundSchema).default({}),
  /** Model of the same provider to use if the budget has no room for the run's own. */
  cheaperModel: z.string().min(1).optional(),
});
export type BudgetSettings = z.infer<typeof budgetSettingsSchema>;

export const NO_BUDGETS: BudgetSettings = { playbook: {}, lane: {} };
