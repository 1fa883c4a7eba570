import {
  asCasefileError,
  CasefileError,
  reasonOf,
  UnusableAnswer,
  withTimeout,
  type ModelRequest,
  type ModelResponse,
  type PolicyKey,
  type PolicyNode,
} from '@casefile/contracts';
import type { ImportNews } from '../importer.js';
import type { PolicyBase, SectionSummary } from './policy-base.js';
import type { SummaryModel, SummaryQuestion } from './summary-model.js';

/** What one call is to summarise. */
export interface SummaryCall extends SummaryQuestion {
  /** With what a section's summary says of its parts, which stays: null where it has none. */
  sections: { nodeId: string; below: string | null }[];
}

/** What is to be written, and what it may cost at most. */
export interface SummaryPlan {
  policy: PolicyKey;
  /** Sections without a model's summary that are long enough for one. */
  sections: number;
  calls: SummaryCall[];
  /** US dollars if every call comes to its worst case; null: the price is not known. */
  worstUsd: number | null;
}

/** What became of a plan. */
export interface SummariesWritten {
  written: number;
  /** US dollars; null: of one call the price is not known. */
  costUsd: number | null;
  /** The first thing that went wrong: the sections it was about keep their extracted summaries. */
  failure: CasefileError | null;
}

/** What became of the summaries of one policy. */
export interface Summarised extends Omit<SummariesWritten, 'failure'> {
  model: string;
  failure: { reasonCode: string; message: string } | null;
}

/** A shorter text is its own summary. */
const SHORTEST_TEXT = 240;
const SECTIONS_A_CALL = 6;
const CHARACTERS_A_CALL = 12_000;
/** Of a section; the prompt shows no more of it. */
const CHARACTERS_COUNTED = 4_000;
/** What a summary by extraction says of a section's parts stands behind this. */
const PARTS = ' Below: ';

/**
 * Has the model write the summaries that a policy lacks; says before the first call what it may cost, and afterwards why some are
 * missing. null: none was lacking. @throws only what the store throws.
 */
export async function summarise(
  base: PolicyBase,
  { policyId, version }: PolicyKey,
  model: SummaryModel,
  news: Pick<ImportNews, 'note' | 'progress'>,
): Promise<Summarised | null> {
  const plan = await planSummaries(base, { policyId, version }, model);
  if (plan.calls.length === 0) return null;
  news.note(announced(plan, model));
  const progress = news.progress('summarising', plan.calls.length);
  const { failure, ...done } = await writeSummaries(plan, base, model, (calls) => progress.to(calls)).finally(
    () => progress.end(),
  );
  if (failure === null) return { ...done, model: model.name, failure: null };
  const missing = plan.sections - done.written;
  news.note(
    `${policyId}: ${missing} sections keep the summaries extracted from their texts, for the model failed ` +
      `(${failure.reasonCode}: ${failure.message}); run again to have them written`,
  );
  const { reasonCode, message } = failure;
  return { ...done, model: model.name, failure: { reasonCode, message } };
}

function announced({ policy, sections, calls, worstUsd }: SummaryPlan, { name }: SummaryModel): string {
  const cost = worstUsd === null ? 'at a price that is not known' : `for $${worstUsd.toFixed(4)} at most`;
  const what = `${policy.policyId}: ${name} writes summaries of ${sections} sections in ${calls.length} calls`;
  return `${what}, ${cost} (--summaries extract does without)`;
}

/** Looks up which summaries a model has still to write. One that is there, from whichever model, is not paid again. */
export async function planSummaries(
  base: PolicyBase,
  policy: PolicyKey,
  { questionAbout, worstUsd }: Pick<SummaryModel, 'questionAbout' | 'worstUsd'>,
): Promise<SummaryPlan> {
  const version = await base.policyVersion(policy.policyId, policy.version);
  const tree = await base.policyTree(policy);
  const wanting = tree.filter(({ summaryBy, characters }) => !summaryBy && characters > SHORTEST_TEXT);
  const calls: SummaryCall[] = [];
  for (const batch of batchesOf(wanting)) {
    const asked = batch.map(({ nodeId }) => nodeId);
    const sections = await base.policySections(policy, asked);
    calls.push({
      ...questionAbout(version?.title ?? policy.policyId, sections),
      sections: sections.map(({ nodeId, summary }) => ({ nodeId, below: summary.split(PARTS)[1] ?? null })),
    });
  }
  const worst = calls.reduce<number | null>((sum, { request }) => {
    const usd = worstUsd(request);
    return sum === null || usd === null ? null : sum + usd;
  }, 0);
  return { policy, sections: wanting.length, calls, worstUsd: worst };
}

function batchesOf(nodes: readonly PolicyNode[]): PolicyNode[][] {
  const batches: PolicyNode[][] = [];
  let size = 0;
  for (const node of nodes) {
    const last = batches.at(-1);
    const own = Math.min(node.characters, CHARACTERS_COUNTED);
    const fits = last !== undefined && last.length < SECTIONS_A_CALL && size + own <= CHARACTERS_A_CALL;
    if (fits) last.push(node);
    else batches.push([node]);
    size = fits ? size + own : own;
  }
  return batches;
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
export async function writeSummaries(
  plan: SummaryPlan,
  base: Pick<PolicyBase, 'saveSummaries'>,
  model: SummaryModel,
  onProgress: (done: number, total: number) => void = () => undefined,
): Promise<SummariesWritten> {
  const done: SummariesWritten = { written: 0, costUsd: 0, failure: null };
  for (let from = 0; from < plan.calls.length; from += CALLS_AT_ONCE) {
    const some = plan.calls.slice(from, from + CALLS_AT_ONCE);
    const answers = await Promise.all(some.map((call, i) => answerTo(plan, call, from + i + 1, model)));
    for (const { summaries, costUsd, error } of answers) {
      if (summaries.length > 0) done.written += await base.saveSummaries(plan.policy, summaries);
      done.costUsd = done.costUsd === null || costUsd === null ? null : done.costUsd + costUsd;
      done.failure ??= error;
    }
    onProgress(from + some.length, plan.calls.length);
    // What is wrong with one answer says nothing about the next; anything else would be the same for it.
    if (answers.some(({ error }) => error !== null && reasonOf(error.reasonCode).of !== 'answer')) break;
  }
  return done;
}

async function answerTo(
  plan: SummaryPlan,
  { request, read, sections }: SummaryCall,
  n: number,
  model: SummaryModel,
): Promise<Answer> {
  const { policyId, version } = plan.policy;
  let costUsd: number | null = 0;
  try {
    const response = await called(request, ['policy', policyId, version, 'summaries', n].join('/'), model);
    costUsd = response.costUsd;
    const below = new Map(sections.map((section) => [section.nodeId, section.below]));
    const written = read(response.content);
    if ('problem' in written) throw new CasefileError('invalid_answer', written.problem);
    const summaries = written.value.map(({ nodeId, summary }) => {
      const parts = below.get(nodeId);
      return { nodeId, summary: parts ? `${summary}${PARTS}${parts}` : summary, by: model.name };
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
  model: SummaryModel,
  tries = 0,
): Promise<ModelResponse> {
  const never = new AbortController().signal;
  try {
    return await withTimeout(TIMEOUT_MS, never, (signal) => model.complete(request, { signal, callKey }));
  } catch (thrown) {
    const { reasonCode, retryAfterMs = 0 } = asCasefileError(thrown);
    const waitMs = WAITS_MS[tries];
    const { retry = false, free = false } = reasonOf(reasonCode);
    if (waitMs === undefined || !retry || !free) throw thrown;
    await model.sleep(Math.max(waitMs, retryAfterMs));
    return called(request, callKey, model, tries + 1);
  }
}
