import {
  asCasefileError,
  type Clock,
  type JsonObject,
  type Logger,
  type ScheduleState,
  type Schedules,
  type ShownSchedule,
} from '@casefile/contracts';
import type { Chore } from '@casefile/engine';
import type { ConfiguredSchedule } from '../config/schedule-settings.js';
import type { Intake } from '../intake/intake.js';
import { lastDue, nextDue, type Timing } from './due-times.js';
import { feedTiming } from '../config/feed-settings.js';
import type { SettingsFile } from '../config/settings-schema.js';

interface SchedulePorts {
  /** By name. */
  schedules: Readonly<Record<string, ConfiguredSchedule>>;
  states: Schedules;
  intake: Pick<Intake, 'accept'>;
  clock: Pick<Clock, 'now'>;
  log: Logger;
}

/** Wait after a failure before the next attempt, in milliseconds. */
const RETRY_MS = 10_000;

/**
 * Submits scheduled alerts. Each due time is one idempotency key, so several processes submit it once. After an
 * outage, only the last missed time of a schedule is run.
 */
export class ScheduleDriver implements Chore {
  private lookAgainAt = 0;

  constructor(private readonly ports: SchedulePorts) {}

  async tick(signal: AbortSignal): Promise<number | void> {
    const { schedules, states, clock } = this.ports;
    const now = clock.now();
    const configured = Object.entries(schedules);
    if (configured.length === 0) return;
    if (now < this.lookAgainAt) return this.lookAgainAt - now;
    const alertStates = (await states.states()).filter(({ kind }) => kind === 'alert');
    const nextTimes: number[] = [];
    for (const [name, schedule] of configured) {
      if (signal.aborted) return;
      const state = currentState('alert', name, timingText(schedule), alertStates, now);
      const after = await this.run(name, schedule, state, now);
      await states.save(after);
      const next = nextDue(schedule, Date.parse(after.doneUntil));
      if (after.problem !== null) nextTimes.push(now + RETRY_MS);
      else if (next !== null) nextTimes.push(next);
    }
    this.lookAgainAt = Math.min(...nextTimes);
    return this.lookAgainAt - now;
  }

  /** Runs what is due. @returns the state after it. */
  private async run(
    name: string,
    schedule: ConfiguredSchedule,
    state: ScheduleState,
    now: number,
  ): Promise<ScheduleState> {
    const { intake, log } = this.ports;
    const due = lastDue(schedule, Date.parse(state.doneUntil), now);
    if (due === null) return state;
    const dueAt = new Date(due).toISOString();
    const alert: JsonObject = { source: `schedule/${name}`, ...(schedule.alert as JsonObject) };
    try {
      const { caseId } = await intake.accept(alert, {
        ownKey: `schedule ${name} ${dueAt}`,
        // A release or a file that changes the alert must not make the same time a second alert.
        keyedPart: { schedule: name, dueAt },
        lane: schedule.lane,
        // The schedule asks for a run, also if the case has a recent verdict.
        again: true,
      });
      log.info({ schedule: name, dueAt, caseId }, 'a scheduled alert was submitted');
      return afterSuccess(state, { dueAt, now, caseId });
    } catch (error) {
      log.warn({ error, schedule: name, dueAt }, 'a scheduled alert was not accepted');
      return recordFailure(state, asCasefileError(error).message, now);
    }
  }
}

/** Returns the text by which a change of the timing is noticed. */
function timingText({ cron, timezone }: Timing): string {
  return `${cron} ${timezone}`;
}

/** Returns the known state of a schedule, or that of a new one, which starts now. */
export function currentState(
  kind: ScheduleState['kind'],
  name: string,
  timing: string,
  states: readonly ScheduleState[],
  now: number,
): ScheduleState {
  const state = states.find((one) => one.name === name);
  if (state?.timing === timing) return state;
  const doneUntil = new Date(now).toISOString();
  const changed = { kind, name, timing, doneUntil, failingSince: null, problem: null, fetched: null };
  if (state !== undefined) return { ...state, ...changed };
  return { ...changed, lastDueAt: null, lastRunAt: null, lastCaseId: null };
}

/** Returns the state after a due time was run. */
export function afterSuccess(
  state: ScheduleState,
  { dueAt, now, caseId }: { dueAt: string; now: number; caseId: string | null },
): ScheduleState {
  const lastRunAt = new Date(now).toISOString();
  const done = { doneUntil: dueAt, lastDueAt: dueAt, lastRunAt, lastCaseId: caseId };
  return { ...state, ...done, failingSince: null, problem: null };
}

/** Returns the state after a failure; the due time is tried again. */
export function recordFailure(state: ScheduleState, problem: string, now: number): ScheduleState {
  return { ...state, problem, failingSince: state.failingSince ?? new Date(now).toISOString() };
}

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
