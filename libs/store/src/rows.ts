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
import { columnList, type Column, type KeyOf, type RowFrom, type Table } from './columns.js';

type Time = string | Date;
/** Converts a time from the driver, or from JSON made by the server, to ISO 8601 in UTC. */
export const iso = (time: Time): string => new Date(time).toISOString();
export const isoOrNull = (time: Time | null): string | null => (time === null ? null : iso(time));

const keyColumn = (key: string): string => key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const IS_TIME = /(?:^at|At|^until|Until|^since|Since)$/;

type Keys<T> = readonly (keyof T & string)[];
/** Fails to compile if `K` omits keys of `T`. The error names the missing keys. */
type Whole<T, K extends Keys<T>> =
  Exclude<keyof T, K[number]> extends never ? unknown : { missing: Exclude<keyof T, K[number]> };

/**
 * Returns a function that converts rows to records. `keys` are all keys of a record in order; `caseId` is
 * read from the column `case_id`. Keys named as times (`at`, `until`, `...At`, `...Until`) become ISO 8601. Other values
 * are unchanged.
 */
export function recordOf<T extends object>(): <const K extends Keys<T>>(
  keys: K & Whole<T, K>,
) => (row: object) => T {
  return keyReader;
}

/** Fails to compile if a record has keys without a column in the table. The error names these keys. */
type ColumnsOfTable<T extends Table, S extends z.ZodObject> =
  Exclude<keyof S['shape'], KeyOf<Column<T>>> extends never
    ? unknown
    : { noColumns: Exclude<keyof S['shape'], KeyOf<Column<T>>> };

/** Like `recordOf`, for whole rows of a table and a record with a schema. The schema's keys are the names. */
export function recordBySchema<T extends Table, S extends z.ZodObject>(
  _table: T,
  schema: S & ColumnsOfTable<T, S>,
): (row: object) => z.infer<S> {
  return keyReader(Object.keys(schema.shape));
}

/** Like `recordBySchema`, for rows that a statement composes under the names of a schema. */
export function recordOfSchema<S extends z.ZodObject>(schema: S): (row: object) => z.infer<S> {
  return keyReader(Object.keys(schema.shape));
}

function keyReader<T>(keys: readonly string[]): (row: object) => T {
  const fields = keys.map((key) => ({ key, column: keyColumn(key), isTime: IS_TIME.test(key) }));
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

/** Position of an event: its transaction, and its number in the sequence. */
export interface EventPlace {
  xid: string;
  id: string;
}

const toldOf = recordBySchema('events', eventRecordSchema.omit({ id: true }));
export const eventOf = (row: EventPlace): EventRecord => ({ id: `${row.xid}.${row.id}`, ...toldOf(row) });

const NUDGE = ['run_id', 'unit', 'stage', 'round', 'lane', 'nudges'] as const;
/** The columns of `UnitNudgeRow`. */
export const nudgeColumns = (alias: string): string => columnList('units', alias, ...NUDGE);

/** The columns of a unit that its wake-up job needs. */
export interface UnitNudgeRow extends Omit<RowFrom<'units', (typeof NUDGE)[number]>, 'lane'> {
  lane: Lane;
  /** Id of the job that wakes the unit together with others, if it was selected. */
  shared_job?: string | null;
}

/** Returns the wake-up job for a unit in its present state, with the counter of its row. */
export function rowNudge(row: UnitNudgeRow): StageNudge {
  const { run_id: runId, unit, stage, round, lane, nudges, shared_job: sharedJob } = row;
  const nudge: StageNudge = { kind: 'stage', runId, unit, stage, round, lane, nudge: nudges };
  return typeof sharedJob === 'string' ? { ...nudge, sharedJob } : nudge;
}

const TOOL_NUDGE = ['id', 'tool', 'lane', 'nudges'] as const;
/** The columns of `ToolNudgeRow`. */
export const toolNudgeColumns = (alias: string): string => columnList('tool_calls', alias, ...TOOL_NUDGE);

/** The columns of a tool call that its wake-up job needs. */
export interface ToolNudgeRow extends Omit<RowFrom<'tool_calls', (typeof TOOL_NUDGE)[number]>, 'lane'> {
  lane: Lane;
}

export function toolNudgeOf({ id, tool, lane, nudges }: ToolNudgeRow): ToolNudge {
  return { kind: 'tool', toolCallId: id, tool, lane, nudge: nudges };
}
