import type { ScheduleState, ShownSchedule } from '@casefile/contracts';
import type { SettingsFile } from '../config/settings-schema.js';
import { nextDue, type Timing } from './due-times.js';
import { currentState } from './schedule-driver.js';

/** Returns the schedules of the configuration with their states. @param now milliseconds since the Unix epoch. */
export function shownSchedules(
  { schedules }: Pick<SettingsFile, 'schedules'>,
  states: readonly ScheduleState[],
  now: number,
): ShownSchedule[] {
  return Object.entries(schedules).map(([name, one]) =>
    shown('alert', name, one, one.alert.playbook ?? '', states, now),
  );
}

function shown(
  kind: ScheduleState['kind'],
  name: string,
  { cron, timezone }: Timing,
  target: string,
  states: readonly ScheduleState[],
  now: number,
): ShownSchedule {
  const ofKind = states.filter((state) => state.kind === kind);
  const state = currentState(kind, name, { cron, timezone }, ofKind, now);
  const { lastDueAt, lastRunAt, lastCaseId, failingSince, problem, fetched } = state;
  const next = nextDue({ cron, timezone }, now);
  const nextAt = next === null ? null : new Date(next).toISOString();
  const last = { lastDueAt, lastRunAt, lastCaseId, failingSince, problem };
  return { kind, name, cron, timezone, target, nextAt, ...last, result: fetched?.result ?? null };
}
