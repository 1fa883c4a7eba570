import { DEGRADED_BY, type Verdict } from '@casefile/contracts';
import type { UnitResult } from './decision-rule.js';

/** Remarks by which the executor says that an answer came from another model than the run's own. */
const DETOURS: Record<string, string> = {
  fallback_provider: 'The run’s own provider was out: another one of its list answered.',
  cheaper_model: 'A budget had no room for the run’s own model: a cheaper one answered.',
};

const LEFT_OPEN = 'It needs review: only the model of the settings may dismiss a case.';

/** What the units came to, without the remarks that `withDetours` puts in words. */
export function withoutDetours(units: UnitResult[]): UnitResult[] {
  return units.map((unit) => ({
    ...unit,
    draft: { ...unit.draft, remarks: unit.draft.remarks.filter((remark) => DETOURS[remark] === undefined) },
  }));
}

/**
 * The verdict, with a reason for each detour that any of the answers it rests on has taken: such a verdict is degraded,
 * and closes no case by itself. S1-17.
 */
export function withDetours(verdict: Verdict, units: UnitResult[]): Verdict {
  const remarks = units.flatMap(({ draft, review }) => [...draft.remarks, ...(review.remarks ?? [])]);
  const reasons = Object.entries(DETOURS).flatMap(([remark, said]) =>
    remarks.includes(remark) ? [said] : [],
  );
  if (reasons.length === 0) return verdict;
  const degradedNote = [verdict.degradedNote, DEGRADED_BY.other_model.short].filter((said) => said !== '');
  const closes = verdict.disposition === 'dismiss';
  return {
    ...verdict,
    disposition: closes ? 'review' : verdict.disposition,
    reasons: [...verdict.reasons, ...reasons, ...(closes ? [LEFT_OPEN] : [])],
    degraded: true,
    degradedBy: [...verdict.degradedBy, 'other_model'],
    degradedNote: degradedNote.join(', '),
  };
}
