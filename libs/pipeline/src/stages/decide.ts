import { done, type Verdict, DEGRADED_BY } from '@casefile/contracts';
import { withOrigin } from '../reuse.js';
import { defineStage } from '../stage.js';
import type { UnitResult } from '../playbook.js';

/** Makes the verdict of what every unit came to: thresholds are the policy's, never a model's. */
export const decide = defineStage({
  name: 'decide',
  app: 'decision',
  reads: ['brief', 'evidence', 'draft', 'review', 'report'],
  appends: 'verdict',
  joins: true,
  run({ units }, { run, playbook, clock }) {
    const decidedAt = new Date(clock.now()).toISOString();
    const { settings, runId, caseId } = run;
    const results = withoutProviderRemarks(units);
    const verdict = playbook.decision.decide(results, settings, decidedAt, runId, caseId);
    const [first] = units;
    const own = withProviderRemarks(marked(verdict), units);
    const said = first === undefined ? own : withOrigin(own, first.evidence);
    return { ...done(said), effects: playbook.effects?.(said) ?? [] };
  },
});

function marked(verdict: Verdict): Verdict {
  if (verdict.method !== 'demonstration') return verdict;
  const mark =
    'Demonstration: the answer was written by hand for this bundled sample. No language model judged it.';
  return { ...verdict, reasons: [mark, ...verdict.reasons] };
}

/** Remarks by which the executor says that an answer came from another model than the run's own. */
const DETOURS: Record<string, string> = {
  fallback_provider: 'The run’s own provider was out: another one of its list answered.',
  cheaper_model: 'A budget had no room for the run’s own model: a cheaper one answered.',
};

const LEFT_OPEN = 'It needs review: only the model of the settings may dismiss a case.';

/** What the units came to, without the remarks that `withProviderRemarks` puts in words. */
export function withoutProviderRemarks(units: UnitResult[]): UnitResult[] {
  return units.map((unit) => ({
    ...unit,
    draft: { ...unit.draft, remarks: unit.draft.remarks.filter((remark) => DETOURS[remark] === undefined) },
  }));
}

/**
 * The verdict, with a reason for each detour that any of the answers it rests on has taken: such a verdict is degraded,
 * and closes no case by itself. S1-17.
 */
export function withProviderRemarks(verdict: Verdict, units: UnitResult[]): Verdict {
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
