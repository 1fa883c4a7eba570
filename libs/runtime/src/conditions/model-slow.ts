import type { CallTimes, Condition } from '@casefile/contracts';
import type { ConditionRule } from './condition-facts.js';

/** Number of calls without which nothing is known. */
const FEWEST_CALLS = 5;
/** Share of calls without an answer in time from which a model counts as too slow for a kind, from 0 to 1. */
const LATE_SHARE = 0.5;

const conditionId = (kind: string) => ({ id: `model_slow.${kind}`, severity: 'error' as const });

/** A model answers regularly later than the deadline of a kind of case allows. */
export const modelSlow: ConditionRule = {
  ids: ({ kinds }) => kinds.map(conditionId),
  reads: ['model calls'],
  holding: ({ work }) =>
    (work?.calls ?? [])
      .filter(({ calls, late }) => calls >= FEWEST_CALLS && late >= calls * LATE_SHARE)
      .map(slowCondition),
};

function slowCondition({
  playbook,
  provider,
  model,
  deadlineMs,
  calls,
  late,
  medianMs,
}: CallTimes): Condition {
  const seconds = (medianMs / 1_000).toFixed(1);
  const setting = `playbooks.${playbook}.deadlineMs`;
  return {
    ...conditionId(playbook),
    since: null,
    text: `${provider}/${model} is too slow for ${playbook}: ${late} of the last ${calls} calls had no answer within deadlineMs ${deadlineMs} (median ${seconds} s)`,
    effect: 'Rules judge these cases instead of the model, and their verdicts are marked degraded.',
    act: `Raise ${setting}, now ${deadlineMs}, and restart the services, or choose a faster model. A call without an answer counts with the time at which it was ended, so the median may be higher.`,
    link: '/operate/cost#providers',
  };
}
