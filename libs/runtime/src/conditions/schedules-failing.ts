import type { Condition, ShownSchedule } from '@casefile/contracts';
import type { ConditionRule } from './condition-facts.js';

const KINDS = [
  {
    kind: 'alert',
    id: 'schedule_failing',
    what: 'scheduled alert',
    isWrong: 'is not accepted',
    effect: 'Its check does not run. It is tried again every 10 seconds.',
    act: 'Fix the section schedules of the configuration and restart the services, or wait if Casefile is overloaded. See casefile schedules.',
  },
  {
    kind: 'feed',
    id: 'feed_failing',
    what: 'feed',
    isWrong: 'cannot be imported',
    effect: 'The entries of its last import stay in use. It is tried again every minute.',
    act: 'Check the server of the feed and the section feeds of the configuration. See casefile schedules.',
  },
] as const;

/** A scheduled alert is refused, or a feed cannot be imported. */
export const schedulesFailing: ConditionRule = {
  ids: () => KINDS.map(({ id }) => ({ id, severity: 'warning' as const })),
  reads: ['schedules'],
  holding: ({ schedules }) =>
    KINDS.flatMap(({ kind, id, what, isWrong, effect, act }): Condition[] => {
      const failing = schedules.filter((one) => one.kind === kind && one.failingSince !== null);
      const [first] = failing;
      if (first === undefined) return [];
      const why = ({ name, problem }: ShownSchedule) => `${name}: ${problem ?? ''}`;
      const text =
        failing.length === 1
          ? `The ${what} ${first.name} ${isWrong}: ${first.problem ?? ''}`
          : `${failing.length} ${what}s fail: ${failing.map(why).join('; ')}`;
      const since = failing.map(({ failingSince }) => failingSince).sort()[0] ?? null;
      return [{ id, severity: 'warning', since, text, effect, act, link: '/operate/schedules' }];
    }),
};
