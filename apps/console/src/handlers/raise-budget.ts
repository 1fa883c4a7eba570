import { MICROS, raiseBudgetSchema, z, type RaisedBudget } from '@casefile/contracts';
import type { Handler } from '../http/route.js';

export const raiseBudgetInput = {
  params: z.object({ caseId: z.string().max(100) }),
  body: raiseBudgetSchema,
};

/** Raises the budget that a run of the case waits for, and lets the run go on where it stopped. */
export const raiseBudget: Handler<typeof raiseBudgetInput, RaisedBudget> = async (
  { store, queue },
  { params: { caseId }, body: { usd, tokens = 0, by = 'console' } },
) => {
  const asked =
    usd === undefined
      ? ({ measure: 'tokens', amount: tokens } as const)
      : ({ measure: 'usd', amount: Math.ceil(usd * MICROS) } as const);
  const { runId, budget, nudges } = await store.budgets.raise({ caseId, by, ...asked });
  await queue.nudge(nudges);
  const { key, window, limit, spent } = budget;
  return { runId, key, window, limit, spent };
};
