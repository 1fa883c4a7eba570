import { done, type Verdict, DEGRADED_BY } from '@casefile/contracts';
import { ANSWER_IN_REASONING } from '../ask.js';
import { defineStage } from '../stage.js';
import type { UnitResult } from '../stage-parts.js';

/** Makes the verdict from the results of all units. Thresholds come from the playbook, never from a model. */
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
    const said = withProviderRemarks(marked(verdict), units);
    return { ...done(said), effects: playbook.outward(said).effects };
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

/** Remarks on how an answer was read, for people; they change nothing of the verdict. */
const READINGS: Record<string, string> = {
  [ANSWER_IN_REASONING]:
    'The model returned its answer in the field for its reasoning; the answer was read from there.',
};

const LEFT_OPEN = 'It needs review: only the model of the settings may dismiss a case.';

const wordsFor = (remark: string): string | undefined => DETOURS[remark] ?? READINGS[remark];

/** The verdict of the units, without the remarks that `withProviderRemarks` puts in words. */
export function withoutProviderRemarks(units: UnitResult[]): UnitResult[] {
  return units.map((unit) => ({
    ...unit,
    draft: {
      ...unit.draft,
      remarks: unit.draft.remarks.filter((remark) => wordsFor(remark) === undefined),
    },
  }));
}

/**
 * The verdict, with a reason for each detour that any of the answers it rests on has taken: such a verdict is degraded,
 * and never closes a case automatically. S1-17. How an answer was read is also a reason, and does not degrade.
 */
export function withProviderRemarks(given: Verdict, units: UnitResult[]): Verdict {
  const remarks = units.flatMap(({ draft, review }) => [...draft.remarks, ...(review.remarks ?? [])]);
  const said = Object.entries(READINGS).flatMap(([remark, words]) =>
    remarks.includes(remark) ? [words] : [],
  );
  const verdict = said.length === 0 ? given : { ...given, reasons: [...given.reasons, ...said] };
  const reasons = Object.entries(DETOURS).flatMap(([remark, words]) =>
    remarks.includes(remark) ? [words] : [],
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
