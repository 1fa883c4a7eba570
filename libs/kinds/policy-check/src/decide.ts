import {
  CasefileError,
  criterionResultSchema,
  degradedCauseOf,
  lookUpsOf,
  type CriterionResult,
  type CriterionStatus,
  type DegradedCause,
  type JsonObject,
  type RunSettings,
  type Verdict,
  reasonInWords,
  reasonOf,
} from '@casefile/contracts';
import { combinedStatus } from './citations/verify-citations.js';
import { bundleOf } from './case-bundle.js';
import { unitStanding, type StandingResult } from './standing-result.js';
import { claimRows, uncheckedReason } from '@casefile/pipeline/claims/show-claims';
import { combinationInWords, settledInWords, STATUS_WORDS } from './words.js';
import { decisionRule, type DecidedUnits, type Missing } from '@casefile/pipeline/parts/deciding';
import type { UnitResult } from '@casefile/pipeline/stage-parts';

/** Disposition that follows from each status. */
export const DISPOSITION = { MET: 'dismiss', NOT_MET: 'act', UNCERTAIN: 'review' } as const;

/**
 * Combines the criteria of a case into its verdict: all, any, or n of m must be met (S4-23). MET -> dismiss,
 * NOT_MET -> act, UNCERTAIN -> review.
 *
 * The confidence is the lowest one of the criteria that have the status of the case. Further criteria with
 * this status can only lower it, never raise it.
 */
export const combineCriteria = decisionRule({
  name: 'combine-criteria',
  judge: standingOfAll,
  missing: missingIn,
  decide({ unit: first, units, judged: standing }) {
    const { combine, policy } = bundleOf(first.brief);
    const criteria = standing.map(({ result }) => result);
    const statuses = criteria.map((criterion) => criterion.status);
    const status = combinedStatus(statuses, combine);
    const claims = units.flatMap(({ unit, review }) =>
      (review.claims ?? []).map((claim) => ({ unit, claim })),
    );
    const byRules = units.some(({ draft }) => draft.method === 'heuristic');
    return {
      outcome: {
        status,
        summary: settledInWords(criteria),
        combine,
        policy,
        criteria,
        ...(claims.length > 0 && {
          claims: claims.flatMap(({ unit, claim }) =>
            claimRows([claim]).map((row) => ({ criterion: unit, ...row })),
          ),
        }),
      } as unknown as JsonObject,
      // A degraded check may have missed a reason against MET, so it does not dismiss the case (S1-17).
      disposition: DISPOSITION[status],
      confidence: confidenceOf(criteria, status),
      ...(byRules && { confidenceSource: 'heuristic', method: 'heuristic' }),
      reasons: [
        ...standing.flatMap(({ result, against }) =>
          against.map((why) => (criteria.length === 1 ? why : `Criterion ${result.id}: ${why}`)),
        ),
        ...criteria.map((one) => sentenceOf(one, units)),
        combinationInWords(status, statuses, combine),
        ...uncheckedReason(claims.map(({ claim }) => claim)),
      ],
      citations: evidenceOf(units),
    };
  },
});

function missingIn(units: DecidedUnits, standing: readonly StandingResult[]): Missing {
  const criteria = standing.map(({ result }) => result);
  return {
    causes: units.flatMap((unit) => [failureOf(unit, criteria), lookUpFailureOf(unit)]),
    lookUps: lookUpsOf(units.flatMap(({ evidence }) => evidence.items)),
  };
}

function standingOfAll(units: DecidedUnits, settings: RunSettings): StandingResult[] {
  return bundleOf(units[0].brief).criteria.map(({ id }) => standingOf(units, id, settings));
}

function standingOf(units: readonly UnitResult[], id: string, settings: RunSettings): StandingResult {
  const result = resultOf(units, id);
  const unit = units.find((one) => one.unit === id);
  return unit === undefined ? { result, against: [] } : unitStanding(unit, result, settings);
}

/** Returns the answer to a criterion. @throws CasefileError `bad_draft` if it is missing or not readable. */
function resultOf(units: readonly UnitResult[], id: string): CriterionResult {
  const unit = units.find((one) => one.unit === id);
  const read = criterionResultSchema.safeParse(unit?.draft.answer);
  if (read.success && read.data.id === id) return read.data;
  const why = unit === undefined ? 'there is no such unit' : (read.error?.message ?? 'it is of another one');
  throw new CasefileError(
    'bad_draft',
    `the policy combine-criteria cannot read the answer to the criterion "${id}": ${why}`,
  );
}

function confidenceOf(criteria: readonly CriterionResult[], status: CriterionStatus): Verdict['confidence'] {
  const carrying = criteria.filter((criterion) => criterion.status === status);
  return Math.min(...carrying.map(({ confidence }) => confidence));
}

// A criterion has only a general code for a failed model, such as `llm_error` (S4-31, S4-32). The draft has
// the exact cause, so it is used first.
function failureOf({ unit, draft }: UnitResult, criteria: readonly CriterionResult[]): DegradedCause | null {
  if (draft.fallbackReason !== undefined) return degradedCauseOf(draft.fallbackReason);
  const code = criteria.find(({ id }) => id === unit)?.reasonCode ?? null;
  // Codes without `degradedBy` mean that the check ran as intended but left the criterion undecided. The
  // verdict is not degraded then.
  return reasonOf(code ?? '').degradedBy ?? null;
}

// Rules decide only by the look-ups of the stage collect, so a failed look-up degrades their answer. A model
// makes its own look-ups and reports what it missed, so its answer is not degraded.
function lookUpFailureOf({ draft, evidence }: UnitResult): DegradedCause | null {
  return draft.method === 'heuristic' && lookUpsOf(evidence.items).failed > 0 ? 'lookups_failed' : null;
}

function sentenceOf(
  { id, status, confidence, reasonCode }: CriterionResult,
  units: readonly UnitResult[],
): string {
  const cause = units.find(({ unit }) => unit === id)?.draft.fallbackReason ?? null;
  const why = reasonText(reasonCode, cause);
  return `Criterion ${id} is ${STATUS_WORDS[status]} with confidence ${Math.round(confidence * 100) / 100}${why}.`;
}

// Returns whether the reason names the cause in addition to the code. The code states only that the model
// failed; the cause of the draft states why.
function hasCauseOf(reasonCode: string, cause: string | null): cause is string {
  return cause !== null && cause !== reasonCode && reasonOf(reasonCode).degradedBy !== undefined;
}

function reasonText(reasonCode: string | null, cause: string | null): string {
  if (reasonCode === null) return '';
  const hasCause = hasCauseOf(reasonCode, cause);
  return `: ${reasonInWords(reasonCode)}${hasCause ? ` (${reasonInWords(cause)})` : ''}`;
}

// Evidence ids are numbered per unit, so E1 of two units is different evidence. A verdict over several units
// therefore lists no citations; the results of its criteria do.
function evidenceOf(units: readonly UnitResult[]): string[] {
  const [only] = units;
  if (only === undefined || units.length > 1) return [];
  const known = new Set(only.evidence.items.map((item) => item.id));
  return only.draft.evidenceUsed.filter((id) => known.has(id));
}
