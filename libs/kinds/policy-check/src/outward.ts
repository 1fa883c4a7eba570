import {
  criterionResultSchema,
  isObject,
  type CriterionResult,
  type Json,
  type JsonObject,
  type TraceStep,
  type Verdict,
} from '@casefile/contracts';

/** Replaces words of a confidential section. */
const CONFIDENTIAL = '(confidential)';

/**
 * Returns a verdict as it leaves Casefile. Of confidential sections it has only ids and titles, in citations,
 * rationale and trace. The record keeps the whole (S4-15).
 */
export function outwardVerdict(verdict: Verdict): Verdict {
  const { criteria, claims } = verdict.outcome;
  if (!Array.isArray(criteria)) return verdict;
  return {
    ...verdict,
    outcome: {
      ...verdict.outcome,
      criteria: criteria.map(outwardCriterion),
      ...(Array.isArray(claims) && { claims: claims.map((row) => outwardClaim(row, withheldIds(criteria))) }),
    },
  };
}

/** Returns the ids of criteria with words of confidential sections. */
const withheldIds = (criteria: readonly Json[]): string[] =>
  criteria.flatMap((criterion) => {
    const read = criterionResultSchema.safeParse(criterion);
    return read.success && read.data.withheld !== undefined ? [read.data.id] : [];
  });

// A part of an answer repeats words of the policy, as its rationale does.
function outwardClaim(row: Json, withheld: readonly string[]): Json {
  if (!isObject(row) || !withheld.includes(String(row['criterion']))) return row;
  return { ...row, conclusion: CONFIDENTIAL, stated: CONFIDENTIAL, says: CONFIDENTIAL };
}

function outwardCriterion(criterion: Json): Json {
  const read = criterionResultSchema.safeParse(criterion);
  return read.success && read.data.withheld !== undefined
    ? (outwardResult(read.data, read.data.withheld) as unknown as JsonObject)
    : criterion;
}

function outwardResult(
  result: CriterionResult,
  { nodeIds, rationale }: NonNullable<CriterionResult['withheld']>,
): CriterionResult {
  return {
    ...result,
    rationale,
    ...(result.unproven === undefined ? {} : { unproven: CONFIDENTIAL }),
    citations: result.citations.map((citation) =>
      citation.kind === 'quote' && nodeIds.includes(citation.nodeId)
        ? { ...citation, quote: CONFIDENTIAL, confidential: true as const }
        : citation,
    ),
    // A failed citation may contain words of another section, and its replacement is text of the policy. So
    // both are removed.
    refuted: result.refuted.map((refuted) =>
      refuted.citation.kind === 'quote'
        ? { ...refuted, citation: { ...refuted.citation, quote: CONFIDENTIAL }, instead: [] }
        : refuted,
    ),
    trace: result.trace.map(outwardTurn),
  };
}

function outwardTurn(turn: TraceStep): TraceStep {
  return {
    ...turn,
    thought: turn.thought === '' ? '' : CONFIDENTIAL,
    // Arguments of a look-up are removed too, because they may repeat words of the policy.
    actions: turn.actions.map((action) => ({
      ...action,
      args: {},
      observation: action.observation === '' ? '' : CONFIDENTIAL,
    })),
  };
}
