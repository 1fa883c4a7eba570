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

/** Sections to summarise in one call. */
export interface SummaryCall extends SummaryQuestion {
  /** The list of subsections in the old summary, which is kept; null: it has none. */
  sections: { nodeId: string; below: string | null }[];
}

/** Summaries to write, and their highest cost. */
export interface SummaryPlan {
  policy: PolicyKey;
  /** Number of sections that lack a model's summary and are long enough for one. */
  sections: number;
  calls: SummaryCall[];
  /** Worst-case cost of all calls in US dollars; null: the price is not known. */
  worstUsd: number | null;
}

/** Result of a plan. */
export interface SummariesWritten {
  written: number;
  /** US dollars; null: the price of a call is not known. */
  costUsd: number | null;
  /** First failure; the affected sections keep their extracted summaries. */
  failure: CasefileError | null;
}

/** Result for the summaries of one policy. */
export interface SummaryResult extends Omit<SummariesWritten, 'failure'> {
  model: string;
  failure: { reasonCode: string; message: string } | null;
}

/** Shortest text that gets a summary; a shorter one serves as its own. */
const SHORTEST_TEXT = 240;
const SECTIONS_A_CALL = 6;
const CHARACTERS_A_CALL = 12_000;
/** Characters of a section shown in the prompt. */
const CHARACTERS_COUNTED = 4_000;
/** Separates the text of an extracted summary from its list of subsections. */
const PARTS = ' Below: ';

/**
 * Lets the model write the missing summaries of a policy. It reports the highest cost before the first call,
 * and afterwards why summaries are missing. Returns null if none was missing. @throws only errors of the
 * store.
 */
export async function summarise(
  base: PolicyBase,
  { policyId, version }: PolicyKey,
  model: SummaryModel,
  news: Pick<ImportNews, 'note' | 'progress'>,
): Promise<SummaryResult | null> {
  const plan = await planSummaries(base, { policyId, version }, model);
  if (plan.calls.length === 0) return null;
  news.note(planText(plan, model));
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

function planText({ policy, sections, calls, worstUsd }: SummaryPlan, { name }: SummaryModel): string {
  const cost = worstUsd === null ? 'at a price that is not known' : `for $${worstUsd.toFixed(4)} at most`;
  const what = `${policy.policyId}: ${name} writes summaries of ${sections} sections in ${calls.length} calls`;
  return `${what}, ${cost} (--summaries extract does without)`;
}

/**
 * Plans the summaries that a model still has to write. An existing summary of any model is not paid for
 * again.
 */
export async function planSummaries(
  base: PolicyBase,
  policy: PolicyKey,
  { questionAbout, worstUsd }: Pick<SummaryModel, 'questionAbout' | 'worstUsd'>,
): Promise<SummaryPlan> {
  const version = await base.policyVersion(policy.policyId, policy.version);
  const tree = await base.policyTree(policy);
  const wanting = tree.filter(({ summaryBy, characters }) => !summaryBy && characters > SHORTEST_TEXT);
  const calls: SummaryCall[] = [];
  for (const batch of nodeBatches(wanting)) {
    const nodeIds = batch.map(({ nodeId }) => nodeId);
    const sections = await base.policySections(policy, nodeIds);
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

function nodeBatches(nodes: readonly PolicyNode[]): PolicyNode[][] {
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
/** Delays before the retries of a refused call that costs nothing. */
const WAITS_MS = [1_000, 2_000, 4_000];

/** Result of one call. */
interface Answer {
  summaries: SectionSummary[];
  costUsd: number | null;
  error: CasefileError | null;
}

/**
 * Lets a model write the summaries of a plan, a few sections per call, and saves each answer immediately. So
 * an interrupted plan continues where it stopped. An unusable answer leaves its sections unchanged. A failure
 * that would affect every call ends the plan.
 * @throws only errors of the store.
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
    // An unusable answer does not affect the next call; any other failure would.
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
    const response = await calledRequest(
      request,
      ['policy', policyId, version, 'summaries', n].join('/'),
      model,
    );
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

async function calledRequest(
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
    return calledRequest(request, callKey, model, tries + 1);
  }
}
