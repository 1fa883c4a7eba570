import type { EventRecord, Interaction, Lane, SignalRecord, ToolCall, UnitStatus } from '@casefile/contracts';
import type { UnitState } from './hot/unit-state.js';
import { msOf } from './row-set.js';

type Time = string | Date;
/** A time of the driver, or of JSON made by the server, as the record says it: ISO 8601, UTC. */
export const iso = (time: Time): string => new Date(time).toISOString();
export const isoOrNull = (time: Time | null): string | null => (time === null ? null : iso(time));

const columnOf = (key: string): string => key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const IS_TIME = /(?:^at|At|^until)$/;

type Keys<T> = readonly (keyof T & string)[];
/** Fails to compile, and names them, when `K` leaves keys of `T` out. */
type Whole<T, K extends Keys<T>> =
  Exclude<keyof T, K[number]> extends never ? unknown : { missing: Exclude<keyof T, K[number]> };

/**
 * Makes records of rows: `keys` are all that a record has, in its order, and `caseId` is read from the column `case_id`. What
 * is named as a time (`at`, `until`, `...At`) becomes ISO 8601; everything else stays as it is.
 */
export function recordOf<T extends object>(): <const K extends Keys<T>>(
  keys: K & Whole<T, K>,
) => (row: object) => T {
  return (keys) => {
    const fields = keys.map((key) => ({ key, column: columnOf(key), isTime: IS_TIME.test(key) }));
    return (row) => {
      const record: Record<string, unknown> = {};
      for (const { key, column, isTime } of fields) {
        const value = (row as Record<string, unknown>)[column];
        record[key] = isTime ? isoOrNull(value as Time | null) : value;
      }
      return record as T;
    };
  };
}

const usageOf = recordOf<Interaction['usage']>()([
  'inputTokens',
  'outputTokens',
  'reasoningTokens',
  'cachedTokens',
]);
const PLACE = ['runId', 'unit', 'stage', 'round'] as const;

const ungroupedOf = recordOf<Omit<Interaction, 'usage'>>()([
  ...PLACE,
  'id',
  'step',
  'attempt',
  'provider',
  'model',
  'promptId',
  'requestHash',
  'request',
  'draw',
  'state',
  'response',
  'content',
  'toolCalls',
  'costUsd',
  'latencyMs',
  'finishReason',
  'errorCode',
  'hasReasoning',
  'reasoningContent',
  'reasoningSummary',
  'reasoningSource',
  'reasoningKind',
  'providerState',
  'route',
  'toolCallId',
  'readFrom',
  'createdAt',
]);

export const interactionOf = (row: object): Interaction => ({ ...ungroupedOf(row), usage: usageOf(row) });

export const toolCallOf = recordOf<ToolCall>()([
  ...PLACE,
  'id',
  'step',
  'seq',
  'tool',
  'args',
  'state',
  'attempts',
  'result',
  'source',
  'reasonCode',
  'message',
  'durationMs',
  'readFrom',
  'createdAt',
  'settledAt',
]);

export const signalOf = recordOf<SignalRecord>()([
  'unit',
  'stage',
  'round',
  'step',
  'name',
  'question',
  'options',
  'fallback',
  'value',
  'by',
  'askedAt',
  'until',
  'givenAt',
]);

/** The columns of a unit, with times in milliseconds, under the names of `UnitState`. */
export const UNIT_COLUMNS = `u.run_id as "runId", u.unit, u.case_id as "caseId", u.lane, u.status, u.stage, u.round,
  u.epoch, u.nudges, ${msOf('u.lease_until')} as "leaseUntil", ${msOf('u.resume_at')} as "resumeAt", u.held, u.crashes,
  ${msOf('u.first_crash_at')} as "firstCrashAt", u.failures, u.wait_step as "waitStep", u.wait_signal as "waitSignal",
  u.wait_over as "waitOver", u.open_units as "openUnits", ${msOf('u.left_at')} as "leftAt",
  u.paused_ms as "pausedMs", u.reason_code as "reasonCode", u.message`;

/** A unit with the database's time. */
export type UnitRow = UnitState & { now: number };

export interface NudgedUnitRow {
  run_id: string;
  unit: string;
  stage: string;
  round: number;
  lane: Lane;
  nudges: number;
  status: UnitStatus;
  /** Where it is asked for: the job that wakes it together with others. */
  shared_job?: string | null;
}

const toldOf = recordOf<Omit<EventRecord, 'id'>>()(['type', 'caseId', 'runId', 'data', 'at']);

export const eventOf = (row: { xid: string; id: string }): EventRecord => ({
  id: `${row.xid}.${row.id}`,
  ...toldOf(row),
});
