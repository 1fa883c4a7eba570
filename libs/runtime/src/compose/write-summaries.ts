import {
  asCasefileError,
  UnusableAnswer,
  CasefileError,
  type LanguageModel,
  type ModelRequest,
  type ModelResponse,
  type PolicyDocuments,
  type SectionSummary,
  reasonOf,
} from '@casefile/contracts';
import { withDeadline } from '../executor/with-deadline.js';
import { PARTS, type SummaryCall, type SummaryPlan } from './plan-summaries.js';

/** What became of a plan. */
export interface SummariesWritten {
  written: number;
  /** US dollars; null: of one call the price is not known. */
  costUsd: number | null;
  /** The first thing that went wrong: the sections it was about keep their extracted summaries. */
  failure: CasefileError | null;
}

export interface SummaryPorts {
  store: Pick<PolicyDocuments, 'saveSummaries'>;
  model: LanguageModel;
  sleep(ms: number): Promise<void>;
  /** Calls that are over. */
  onProgress?: (done: number, total: number) => void;
}

const CALLS_AT_ONCE = 4;
const TIMEOUT_MS = 90_000;
/** Before the next try, after a refusal that costs nothing. S4-30. */
const WAITS_MS = [1_000, 2_000, 4_000];

/** What one call came to. */
interface Answer {
  summaries: SectionSummary[];
  costUsd: number | null;
  error: CasefileError | null;
}

/**
 * Has a model write the summaries of a plan, a few sections a call, and keeps each answer at once: broken off, it goes on where
 * it was. An answer that cannot be used leaves its sections as they are; what would fail every call ends it.
 * @throws only what the store throws.
 */
export async function writeSummaries(plan: SummaryPlan, ports: SummaryPorts): Promise<SummariesWritten> {
  const done: SummariesWritten = { written: 0, costUsd: 0, failure: null };
  for (let from = 0; from < plan.calls.length; from += CALLS_AT_ONCE) {
    const some = plan.calls.slice(from, from + CALLS_AT_ONCE);
    const answers = await Promise.all(some.map((call, i) => answerTo(plan, call, from + i + 1, ports)));
    for (const { summaries, costUsd, error } of answers) {
      if (summaries.length > 0) done.written += await ports.store.saveSummaries(plan.policy, summaries);
      done.costUsd = done.costUsd === null || costUsd === null ? null : done.costUsd + costUsd;
      done.failure ??= error;
    }
    ports.onProgress?.(from + some.length, plan.calls.length);
    // What is wrong with one answer says nothing about the next; anything else would be the same for it.
    if (answers.some(({ error }) => error !== null && reasonOf(error.reasonCode).of !== 'answer')) break;
  }
  return done;
}

async function answerTo(
  plan: SummaryPlan,
  { request, read, sections }: SummaryCall,
  n: number,
  ports: SummaryPorts,
): Promise<Answer> {
  const { policyId, version } = plan.policy;
  let costUsd: number | null = 0;
  try {
    const response = await called(request, ['policy', policyId, version, 'summaries', n].join('/'), ports);
    costUsd = response.costUsd;
    const below = new Map(sections.map((section) => [section.nodeId, section.below]));
    const written = read(response.content);
    if ('problem' in written) throw new CasefileError('invalid_answer', written.problem);
    const summaries = written.value.map(({ nodeId, summary }) => {
      const parts = below.get(nodeId);
      return { nodeId, summary: parts ? `${summary}${PARTS}${parts}` : summary, by: plan.model };
    });
    return { summaries, costUsd, error: null };
  } catch (thrown) {
    if (thrown instanceof UnusableAnswer) costUsd = thrown.response.costUsd;
    return { summaries: [], costUsd, error: asCasefileError(thrown) };
  }
}

async function called(
  request: ModelRequest,
  callKey: string,
  ports: Pick<SummaryPorts, 'model' | 'sleep'>,
  tries = 0,
): Promise<ModelResponse> {
  const never = new AbortController().signal;
  try {
    return await withDeadline(never, TIMEOUT_MS, (signal) =>
      ports.model.complete(request, { signal, callKey }),
    );
  } catch (thrown) {
    const { reasonCode, retryAfterMs = 0 } = asCasefileError(thrown);
    const waitMs = WAITS_MS[tries];
    const { retry = false, free = false } = reasonOf(reasonCode);
    if (waitMs === undefined || !retry || !free) throw thrown;
    await ports.sleep(Math.max(waitMs, retryAfterMs));
    return called(request, callKey, ports, tries + 1);
  }
}
