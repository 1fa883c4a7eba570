import { DISPOSITIONS, z } from '@casefile/contracts';
import type { EvalCase } from './eval-system.js';
import { callSpending } from './figures.js';

const count = z.number().int();

/** Fields of a judged run that every kind of case keeps in its line of the results file. */
export const judgedRunSchema = z.object({
  /** null: the run ended without a verdict. */
  disposition: z.enum(DISPOSITIONS).nullable(),
  method: z.string().nullable(),
  confidence: z.number().nullable(),
  /** Source of the confidence. Calibration never mixes two sources. */
  confidenceSource: z.string().nullable(),
  degraded: z.boolean(),
  /** Names of the models that answered, as given in their answers. */
  models: z.array(z.string()),
  /** Ids of the prompts that were sent. */
  prompts: z.array(z.string()),
  /** Cost of the calls with a known price, in US dollars. */
  costUsd: z.number(),
  unpriced: count,
  calls: count,
  tokens: count,
  /** Time in the model, summed over all calls, in milliseconds. */
  modelMs: z.number(),
  /** Time from acceptance to verdict, in milliseconds. */
  totalMs: z.number(),
});
export type JudgedRun = z.infer<typeof judgedRunSchema>;

/** Returns these fields for the run of a judged case. @param totalMs Time from acceptance to verdict. */
export function toJudgedRun({ runs: [run] }: EvalCase, totalMs: number): JudgedRun {
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
    ...callSpending(calls),
    totalMs,
  };
}
