import { DISPOSITIONS, z } from '@casefile/contracts';
import type { EvalCase } from './eval-system.js';
import { spendingOf } from './figures.js';

const count = z.number().int();

/** What every kind of case keeps of a judged run: a part of its line in the results file. */
export const judgedRunSchema = z.object({
  /** null: the run ended without a verdict. */
  disposition: z.enum(DISPOSITIONS).nullable(),
  method: z.string().nullable(),
  confidence: z.number().nullable(),
  /** What stated the confidence; calibration never pools two sources. */
  confidenceSource: z.string().nullable(),
  degraded: z.boolean(),
  /** Names of the models that answered, as the answers give them. */
  models: z.array(z.string()),
  /** Ids of the prompts that were sent. */
  prompts: z.array(z.string()),
  /** Of the calls whose price is known, in US dollars. */
  costUsd: z.number(),
  unpriced: count,
  calls: count,
  tokens: count,
  /** In the model, all calls together, in milliseconds. */
  modelMs: z.number(),
  /** From acceptance to verdict, in milliseconds. */
  totalMs: z.number(),
});
export type JudgedRun = z.infer<typeof judgedRunSchema>;

/** Returns what is kept of the run of a judged case. @param totalMs From acceptance to verdict. */
export function judgedRunOf({ runs: [run] }: EvalCase, totalMs: number): JudgedRun {
  const verdict = run?.verdict ?? null;
  const calls = run?.interactions ?? [];
  const answered = calls.filter(({ state }) => state === 'completed');
  return {
    disposition: verdict?.disposition ?? null,
    method: verdict?.method ?? null,
    confidence: verdict?.confidence ?? null,
    confidenceSource: verdict?.confidenceSource ?? null,
    degraded: verdict?.degraded ?? true,
    models: [...new Set(answered.map(({ model }) => model))].sort(),
    prompts: [...new Set(calls.map(({ promptId }) => promptId))].sort(),
    ...spendingOf(calls),
    totalMs,
  };
}
