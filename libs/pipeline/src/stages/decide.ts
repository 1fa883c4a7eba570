import { done, type Verdict } from '@casefile/contracts';
import { withDetours, withoutDetours } from '../detours.js';
import { defineStage } from '../stage.js';

/** Makes the verdict of what every unit came to: thresholds are the policy's, never a model's. */
export const decide = defineStage({
  name: 'decide',
  app: 'decision',
  reads: ['brief', 'evidence', 'draft', 'review', 'report'],
  appends: 'verdict',
  joins: true,
  run({ units }, { run, playbook, clock }) {
    const decidedAt = new Date(clock.now()).toISOString();
    const { settings, runId } = run;
    const verdict = playbook.decision.decide(withoutDetours(units), settings, decidedAt, runId);
    return done(withDetours(marked(verdict), units));
  },
});

function marked(verdict: Verdict): Verdict {
  if (verdict.method !== 'demonstration') return verdict;
  const mark =
    'Demonstration: the answer was written by hand for this bundled sample. No language model judged it.';
  return { ...verdict, reasons: [mark, ...verdict.reasons] };
}
