import {
  eventRecordSchema,
  interactionSchema,
  modelUsageSchema,
  signalRecordSchema,
  toolCallSchema,
  type EventRecord,
  type Interaction,
  type Lane,
  type StageNudge,
  type ToolNudge,
  type z,
} from '@casefile/contracts';
import { listOf, type Column, type KeyOf, type RowFrom, type Table } from './columns.js';

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
  return readerOf;
}

/** Fails to compile, and names them, if a record has keys that are no columns of the table. */
type Columned<T extends Table, S extends z.ZodObject> =
  Exclude<keyof S['shape'], KeyOf<Column<T>>> extends never
    ? unknown
    : { noColumns: Exclude<keyof S['shape'], KeyOf<Column<T>>> };

/** As `recordOf`, of whole rows of a table and a record that has a schema: its keys are the names. */
export function recordBySchema<T extends Table, S extends z.ZodObject>(
  _table: T,
  schema: S & Columned<T, S>,
): (row: object) => z.infer<S> {
  return readerOf(Object.keys(schema.shape));
}

/** As `recordBySchema`, of rows that a statement puts together under the names of a schema. */
export function recordOfSchema<S extends z.ZodObject>(schema: S): (row: object) => z.infer<S> {
  return readerOf(Object.keys(schema.shape));
}

function readerOf<T>(keys: readonly string[]): (row: object) => T {
  const fields = keys.map((key) => ({ key, column: columnOf(key), isTime: IS_TIME.test(key) }));
  return (row) => {
    const record: Record<string, unknown> = {};
    for (const { key, column, isTime } of fields) {
      const value = (row as Record<string, unknown>)[column];
      record[key] = isTime ? isoOrNull(value as Time | null) : value;
    }
    return record as T;
  };
}

const usageOf = recordBySchema('llm_interactions', modelUsageSchema);
const callOf = recordBySchema('llm_interactions', interactionSchema.omit({ usage: true }));
export const interactionOf = (row: object): Interaction => ({ ...callOf(row), usage: usageOf(row) });

export const toolCallOf = recordBySchema('tool_calls', toolCallSchema);
export const signalOf = recordBySchema('signals', signalRecordSchema);

/** What orders events: their transaction, and a sequence within it. */
export interface EventPlace {
  xid: string;
  id: string;
}

const toldOf = recordBySchema('events', eventRecordSchema.omit({ id: true }));
export const eventOf = (row: EventPlace): EventRecord => ({ id: `${row.xid}.${row.id}`, ...toldOf(row) });

const NUDGE = ['run_id', 'unit', 'stage', 'round', 'lane', 'nudges'] as const;
/** The columns of `UnitNudgeRow`. */
export const nudgeColumns = (alias: string): string => listOf('units', alias, ...NUDGE);

/** A unit as far as its wake-up needs it. */
export interface UnitNudgeRow extends Omit<RowFrom<'units', (typeof NUDGE)[number]>, 'lane'> {
  lane: Lane;
  /** If it was asked for: the job that wakes it together with others. */
  shared_job?: string | null;
}

/** The wake-up for a unit as it is now; its counter is the one on the row. */
export function nudgeOf(row: UnitNudgeRow): StageNudge {
  const { run_id: runId, unit, stage, round, lane, nudges, shared_job: sharedJob } = row;
  const nudge: StageNudge = { kind: 'stage', runId, unit, stage, round, lane, nudge: nudges };
  return typeof sharedJob === 'string' ? { ...nudge, sharedJob } : nudge;
}

const TOOL_NUDGE = ['id', 'tool', 'lane', 'nudges'] as const;
/** The columns of `ToolNudgeRow`. */
export const toolNudgeColumns = (alias: string): string => listOf('tool_calls', alias, ...TOOL_NUDGE);

/** A tool call as far as its wake-up needs it. */
export interface ToolNudgeRow extends Omit<RowFrom<'tool_calls', (typeof TOOL_NUDGE)[number]>, 'lane'> {
  lane: Lane;
}

export function toolNudgeOf({ id, tool, lane, nudges }: ToolNudgeRow): ToolNudge {
  return { kind: 'tool', toolCallId: id, tool, lane, nudge: nudges };
}
