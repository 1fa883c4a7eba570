import type {
  Ids,
  ModelRequest,
  PolicyDocuments,
  PolicyKey,
  PolicyNode,
  Question,
} from '@casefile/contracts';
import { markOf, requestOf, summariseSections } from '@casefile/pipeline';
import type { PaidModel } from '../models/paid-model.js';
import type { Adapters } from './platform.js';

/** What one call is to summarise. */
export interface SummaryCall {
  request: ModelRequest;
  read: Question<{ nodeId: string; summary: string }[]>['read'];
  /** With what a section's summary says of its parts, which stays: null where it has none. */
  sections: { nodeId: string; below: string | null }[];
}

/** What is to be written, and what it may cost at most. */
export interface SummaryPlan {
  policy: PolicyKey;
  /** As `provider/model`. */
  model: string;
  /** Sections without a model's summary that are long enough for one. */
  sections: number;
  calls: SummaryCall[];
  /** US dollars if every call comes to its worst case; null: the price is not known. */
  worstUsd: number | null;
}

/** A shorter text is its own summary. */
const SHORTEST_TEXT = 240;
const SECTIONS_A_CALL = 6;
const CHARACTERS_A_CALL = 12_000;
/** Of a section; the prompt shows no more of it. */
const CHARACTERS_COUNTED = 4_000;
/** What a summary by extraction says of a section's parts stands behind this. */
export const PARTS = ' Below: ';

/** The model of the configuration, and whether its summaries are worth having unasked: those of the simulator are not. */
export function summariser({ models, config }: Pick<Adapters, 'models' | 'config'>): {
  model: PaidModel | null;
  byDefault: boolean;
} {
  const { provider } = config;
  const model = provider === null ? null : (models?.model(provider.entry.name, provider.entry.model) ?? null);
  return { model, byDefault: model !== null && provider?.entry.name !== 'simulator' };
}

/** Looks up which summaries a model has still to write. One that is there, from whichever model, is not paid again. */
export async function planSummaries(
  store: PolicyDocuments,
  policy: PolicyKey,
  { model, worstCase }: PaidModel,
  ids: Ids,
): Promise<SummaryPlan> {
  const version = await store.policyVersion(policy.policyId, policy.version);
  const tree = await store.policyTree(policy);
  const wanting = tree.filter(({ summaryBy, characters }) => !summaryBy && characters > SHORTEST_TEXT);
  const mark = markOf({ seed: ids.token(16), deadlineAt: null }, 1);
  const calls: SummaryCall[] = [];
  for (const batch of batchesOf(wanting)) {
    const asked = batch.map(({ nodeId }) => nodeId);
    const sections = await store.policySections(policy, asked);
    const question = summariseSections(version?.title ?? policy.policyId, sections);
    calls.push({
      request: requestOf(question, mark),
      read: question.read,
      sections: sections.map(({ nodeId, summary }) => ({ nodeId, below: summary.split(PARTS)[1] ?? null })),
    });
  }
  const worstUsd = calls.reduce<number | null>((sum, { request }) => {
    const { usd } = worstCase(request);
    return sum === null || usd === null ? null : sum + usd;
  }, 0);
  const name = `${model.provider}/${model.model}`;
  return { policy, model: name, sections: wanting.length, calls, worstUsd };
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
