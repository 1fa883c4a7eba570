import type { ScheduleState, ShownSchedule } from '@casefile/contracts';
import { feedTiming } from '../config/feed-settings.js';
import type { SettingsFile } from '../config/settings-schema.js';
import { nextDue, type Timing } from './due-times.js';
import { currentState, timingText } from './schedule-driver.js';

/** Returns the schedules and feeds of the configuration with their states. @param now milliseconds since the Unix epoch. */
export function shownSchedules(
  { schedules, feeds }: Pick<SettingsFile, 'schedules' | 'feeds'>,
  states: readonly ScheduleState[],
  now: number,
): ShownSchedule[] {
  const stateOf = (kind: ScheduleState['kind'], name: string, timing: string) =>
    currentState(kind, name, timing, ofKind(states, kind), now);
  return [
    ...Object.entries(schedules).map(([name, one]) =>
      shownSchedule(stateOf('alert', name, timingText(one)), one, one.alert.playbook ?? '', now),
    ),
    ...Object.entries(feeds).map(([name, one]) =>
      shownSchedule(stateOf('feed', name, feedTiming(one)), one, one.into, now),
    ),
  ];
}

const ofKind = (states: readonly ScheduleState[], kind: ScheduleState['kind']) =>
  states.filter((state) => state.kind === kind);

function shownSchedule(state: ScheduleState, timing: Timing, target: string, now: number): ShownSchedule {
  const { kind, name, lastDueAt, lastRunAt, lastCaseId, failingSince, problem, fetched } = state;
  const { cron, timezone } = timing;
  const next = nextDue(timing, now);
  const nextAt = next === null ? null : new Date(next).toISOString();
  const last = { lastDueAt, lastRunAt, lastCaseId, failingSince, problem };
  return { kind, name, cron, timezone, target, nextAt, ...last, result: fetched?.result ?? null };
}
