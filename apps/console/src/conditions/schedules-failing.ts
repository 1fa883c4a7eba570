import type { Condition } from '@casefile/contracts';
import type { ConditionRule } from './condition-facts.js';

const SCHEDULE = 'schedule_failing';

/** A scheduled alert is refused. */
export const schedulesFailing: ConditionRule = {
  ids: () => [{ id: SCHEDULE, severity: 'warning' }],
  holding: ({ schedules }) =>
    schedules.flatMap(({ kind, name, failingSince, problem }): Condition[] =>
      kind !== 'alert' || failingSince === null
        ? []
        : [
            {
              id: SCHEDULE,
              severity: 'warning',
              since: failingSince,
              text: `The scheduled alert ${name} is not accepted: ${problem ?? ''}`,
              effect: 'Its check does not run. It is tried again every 10 seconds.',
              act: `Fix schedules.${name} in the configuration, and restart the services: casefile schedules`,
              link: '/configuration',
            },
          ],
    ),
};
