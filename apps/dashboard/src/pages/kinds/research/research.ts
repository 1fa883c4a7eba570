import type {
  CheckedSentence,
  Draft,
  Evidence,
  Finding,
  ResearchDraft,
  ResearchReport,
  ResearchReview,
  Review,
  ShownRun,
  Source,
} from '@casefile/contracts';
import { readableArtifacts } from '../../../api/readable-case.js';

/** A source with its citation id. */
export interface CitedSource {
  id: string;
  source: Source;
}

/** One round: requested searches, or a draft with its review. */
export interface Round {
  round: number;
  /** null: a search, or the draft is being written. */
  draft: string | null;
  /** Requested searches. Empty if the analyst wrote a draft. */
  searches: string[];
  review: { ruling: Review['ruling']; answer: ResearchReview; findings: Finding[] } | null;
}

/** Changes of a draft against the previous one. */
export interface DraftChanges {
  /** Parts of the draft in order. `isNew`: the previous draft does not have the part. */
  parts: { text: string; isNew: boolean }[];
  /** Parts of the previous draft that are gone. */
  gone: string[];
}

/** Duration and cost of one role. */
export interface RoleCost {
  role: string;
  calls: number;
  ms: number;
  /** null: no price is known. */
  usd: number | null;
}

/** Progress of a run on its question. */
export interface Research {
  rounds: Round[];
  sources: CitedSource[];
  leftOut: { what: string; why: string }[];
  /** null: the report is not written yet. */
  report: ResearchReport | null;
  costs: RoleCost[];
}

const ROLES: Record<string, string> = { reason: 'analyst', critique: 'critic', write: 'writer' };

/** Returns the research of a run. The playbook validated each part against its schema before writing it. */
export function shownRunResearch({
  artifacts,
  interactions,
}: Pick<ShownRun, 'artifacts' | 'interactions'>): Research {
  const artifactsNamed = (name: string) =>
    readableArtifacts(artifacts).filter(({ artifact }) => artifact === name);
  const evidence = artifactsNamed('evidence').at(-1)?.body as unknown as Evidence | undefined;
  const report = artifactsNamed('report').at(-1)?.body['answer'] as unknown as ResearchReport | undefined;
  const reviews = new Map(
    artifactsNamed('review').map(({ round, body }) => [round, body as unknown as Review]),
  );
  return {
    rounds: artifactsNamed('draft').map(({ round, body }) =>
      researchRound(round, body as unknown as Draft, reviews.get(round)),
    ),
    sources: (evidence?.items ?? []).flatMap(({ id, result }) =>
      isSource(result) ? [{ id, source: result }] : [],
    ),
    leftOut: (evidence?.leftOut ?? []).map(({ what, why }) => ({ what, why })),
    report: report ?? null,
    costs: interactionCosts(interactions),
  };
}

function isSource(result: unknown): result is Source {
  return typeof result === 'object' && result !== null && '_reasoning_metadata' in result;
}

function researchRound(round: number, draft: Draft, review: Review | undefined): Round {
  const answer = draft.answer as unknown as ResearchDraft;
  const isSearch = answer.kind === 'search';
  return {
    round,
    draft: isSearch ? null : (answer.error?.message ?? answer.draft),
    searches: isSearch ? (draft.queries ?? []) : [],
    review:
      review?.answer === undefined
        ? null
        : {
            ruling: review.ruling,
            answer: review.answer as unknown as ResearchReview,
            findings: review.findings,
          },
  };
}

function interactionCosts(interactions: ShownRun['interactions']): RoleCost[] {
  return Object.entries(ROLES).flatMap(([stage, role]) => {
    const own = interactions.filter((one) => one.stage === stage);
    if (own.length === 0) return [];
    const priced = own.flatMap(({ costUsd }) => costUsd ?? []);
    return [
      {
        role,
        calls: own.length,
        ms: own.reduce((sum, { latencyMs }) => sum + (latencyMs ?? 0), 0),
        usd: priced.length === 0 ? null : priced.reduce((sum, usd) => sum + usd, 0),
      },
    ];
  });
}

/** Returns the differences between a draft and the previous one, sentence by sentence. */
export function draftChanges(before: string, after: string): DraftChanges {
  const [then, now] = [draftParts(before), draftParts(after)];
  const [earlierParts, currentParts] = [new Set(then), new Set(now)];
  return {
    parts: now.map((text) => ({ text, isNew: !earlierParts.has(text) })),
    gone: then.filter((text) => !currentParts.has(text)),
  };
}

// Splits a draft into sentences with citations, or lines.
function draftParts(draft: string): string[] {
  return draft
    .split(/\n|(?<=[。！？])(?!\s?\[E)|(?<=[。！？]\s?(?:\[E\d{1,5}\]){1,9})|(?<=[.!?]) (?!\[E)/)
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

/** Groups sources by tier, the best first, unknown ones last. */
export function byTier(sources: readonly CitedSource[]): { tier: number | null; sources: CitedSource[] }[] {
  const order = (tier: number | null) => tier ?? 9;
  const tiers = [...new Set(sources.map(({ source }) => source._reasoning_metadata.tier))];
  return tiers
    .sort((a, b) => order(a) - order(b))
    .map((tier) => ({
      tier,
      sources: sources.filter(({ source }) => source._reasoning_metadata.tier === tier),
    }));
}

/**
 * Returns a stored original in three parts, with the words that support a sentence in the middle. Without
 * such words all of the text is in `before`.
 */
export function aroundQuote(
  { source }: CitedSource,
  quote: string,
): { before: string; quote: string; after: string } {
  const whole = `${source.site}\n${source.name}\n${source.text}`;
  const at = quote === '' ? -1 : whole.indexOf(quote);
  if (at < 0) return { before: whole, quote: '', after: '' };
  return { before: whole.slice(0, at), quote, after: whole.slice(at + quote.length) };
}

/** Returns the sentences that need support by a source. */
export function needingSource({ sentences }: ResearchReport): CheckedSentence[] {
  return sentences.filter(({ state }) => state !== 'plain');
}
