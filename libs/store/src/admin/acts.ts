import { CasefileError, storableJson, type Act, type Json } from '@casefile/contracts';
import type { Queryable } from '../database.js';
import { iso } from '../rows.js';

/** Data that an act is recorded with. `data` is stored in the event, next to who acted and why. */
export interface RecordedAct extends Act {
  type: string;
  /** What was acted on, such as `prompt kind/name`. */
  subject: string;
  data: Record<string, Json>;
  /** Case and run of the event. Default: none. */
  caseId?: string;
  runId?: string;
}

// Uses the statement's time: a transaction that waited for the lock gets a later time than the one before.
const ADD = `
  insert into acts (id, type, subject, "by", reason, data, at)
  values ($1, $2, $3, $4, $5, $6::json, clock_timestamp()) on conflict do nothing returning id`;
const KNOWN = 'select type, subject from acts where id = $1';
const REPORT = 'insert into events (type, case_id, run_id, data) values ($1, $2::uuid, $3::uuid, $4::json)';

/**
 * Records an act and its event, as part of the transaction that performs it. Lock the subject first.
 * @returns false if the act was recorded before: the request is repeated, so nothing must be done again.
 * @throws CasefileError `conflict` if the id belongs to another act.
 */
export async function recordAct(
  on: Queryable,
  { actId, by, reason, type, subject, data, caseId, runId }: RecordedAct,
): Promise<boolean> {
  const added = await on.rows(ADD, [actId, type, subject, by, reason, storableJson(data)]);
  if (added.length === 0) {
    const [known] = await on.rows<{ type: string; subject: string }>(KNOWN, [actId]);
    if (known?.type === type && known.subject === subject) return false;
    throw new CasefileError('conflict', `the actId "${actId}" belongs to another act: send a new one`);
  }
  const event = storableJson({ ...data, by, reason, actId });
  await on.rows(REPORT, [type, caseId ?? null, runId ?? null, event]);
  return true;
}

const HISTORY = `
  select id, type, "by", reason, data, at from acts where subject = $1 order by at desc, id desc limit $2`;

/** An act on the record. `data` is that of its event. */
export type StoredAct<Data> = Act & { type: string; data: Data; at: string };

/** Returns the acts on a subject, the newest first. */
export async function actHistory<Data>(
  on: Queryable,
  subject: string,
  limit: number,
): Promise<StoredAct<Data>[]> {
  const rows = await on.rows<Omit<StoredAct<Data>, 'actId'> & { id: string }>(HISTORY, [subject, limit]);
  return rows.map(({ id, type, by, reason, data, at }) => ({
    actId: id,
    type,
    by,
    reason,
    data,
    at: iso(at),
  }));
}

/** Locks the key until the transaction ends, so that other acts with this key wait. */
export async function lockKey(on: Queryable, key: string): Promise<void> {
  await on.rows('select pg_advisory_xact_lock(hashtextextended($1, 12))', [key]);
}
