import { withoutRemovedClaims } from '@casefile/contracts/removed-claims';
import type { IncidentResult, JsonObject, Review, ShownRun } from '@casefile/contracts';

/** Prompt that summarises a round of look-ups. */
const PARTIAL = 'partial-analysis';

/** Progress of a run on its incident. */
export interface IncidentProgress {
  /** null: the investigation is not finished. */
  result: IncidentResult | null;
  /** Conclusion of each round, the newest last. */
  rounds: { round: number; text: string }[];
}

/** Returns the incident of a run: its result, or its progress. */
export function shownIncident({
  artifacts,
  interactions,
  verdict,
}: Pick<ShownRun, 'artifacts' | 'interactions' | 'verdict'>): IncidentProgress {
  const draft = artifacts.filter(({ artifact }) => artifact === 'draft').at(-1);
  // The playbook validated the answer against its schema before writing it.
  const answered = (draft?.body['answer'] as unknown as IncidentResult | undefined) ?? null;
  const review = artifacts.filter(({ artifact }) => artifact === 'review').at(-1)?.body as Review | undefined;
  const remainingResult = answered && withoutRemovedClaims(answered, review?.crossExamination);
  const result = remainingResult && { ...remainingResult, ...decidedOn(verdict?.outcome) };
  if (result !== null) return { result, rounds: result.partial };
  const summed = interactions.filter(
    ({ promptId, state, content }) => promptId.includes(PARTIAL) && state === 'completed' && content !== null,
  );
  return { result, rounds: summed.map(({ content }, i) => ({ round: i + 1, text: content ?? '' })) };
}

/**
 * Returns the text that the verdict shows instead of the model's own words. It contains only what is proven.
 */
function decidedOn(outcome: JsonObject = {}): Partial<IncidentResult> {
  const { actions, gaps, unproven } = outcome as unknown as Partial<IncidentResult> & {
    actions?: IncidentResult['steps'];
  };
  if (actions === undefined || gaps === undefined || unproven === undefined) return {};
  return { steps: actions, gaps, unproven };
}

/** A share as whole percent. */
export function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}
