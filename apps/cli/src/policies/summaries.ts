import { setTimeout as sleep } from 'node:timers/promises';
import type { PolicyDocuments, PolicyKey } from '@casefile/contracts';
import {
  planSummaries,
  summariser,
  writeSummaries,
  type Connected,
  type SummariesWritten,
  type SummaryPlan,
} from '@casefile/runtime';
import { oneLine } from '../output/escape.js';
import { progressOf } from '../output/progress.js';
import type { Terminal } from '../output/terminal.js';

/** Who writes summaries of a policy's sections: a model, or nobody, so that the first sentences stand for them. */
export type SummaryChoice = 'model' | 'extract';

/** The model that can write summaries. */
export interface Summaries {
  /** Are they worth having unasked? */
  byDefault: boolean;
  plan(policy: PolicyKey): Promise<SummaryPlan>;
  write(plan: SummaryPlan, onProgress: (done: number, total: number) => void): Promise<SummariesWritten>;
}

/** The configured model as a writer of summaries; null: there is none. */
export function summariesOf(adapters: Connected['adapters']): Summaries | null {
  const { model, byDefault } = summariser(adapters);
  if (model === null) return null;
  const store: PolicyDocuments = adapters.store;
  return {
    byDefault,
    plan: (policy) => planSummaries(store, policy, model, adapters.ids),
    write: (plan, onProgress) =>
      writeSummaries(plan, { store, model: model.model, sleep: (ms) => sleep(ms), onProgress }),
  };
}

/** What became of the summaries of one policy. */
export interface Summarised extends Omit<SummariesWritten, 'failure'> {
  model: string;
  failure: { reasonCode: string; message: string } | null;
}

/**
 * Has the model write the summaries that a policy lacks; says before the first call what it may cost, and afterwards why some are
 * missing. null: none was lacking. @throws only what the store throws.
 */
export async function summarise(
  summaries: Summaries,
  policy: PolicyKey,
  terminal: Terminal,
): Promise<Summarised | null> {
  const plan = await summaries.plan(policy);
  if (plan.calls.length === 0) return null;
  terminal.err(oneLine(announced(plan)));
  const progress = progressOf(terminal, 'summarising', plan.calls.length);
  const { failure, ...done } = await summaries
    .write(plan, (calls) => progress.to(calls))
    .finally(() => progress.end());
  if (failure === null) return { ...done, model: plan.model, failure: null };
  const missing = plan.sections - done.written;
  terminal.err(
    oneLine(
      `${policy.policyId}: ${missing} sections keep the summaries extracted from their texts, for the model failed ` +
        `(${failure.reasonCode}: ${failure.message}); run again to have them written`,
    ),
  );
  const { reasonCode, message } = failure;
  return { ...done, model: plan.model, failure: { reasonCode, message } };
}

function announced({ policy, sections, calls, model, worstUsd }: SummaryPlan): string {
  const cost = worstUsd === null ? 'at a price that is not known' : `for $${worstUsd.toFixed(4)} at most`;
  const what = `${policy.policyId}: ${model} writes summaries of ${sections} sections in ${calls.length} calls`;
  return `${what}, ${cost} (--summaries extract does without)`;
}
