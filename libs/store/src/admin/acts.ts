import { CasefileError, storableJson, type Act, type Json } from '@casefile/contracts';
import type { Queryable } from '../database.js';
import type { Prisma } from '../generated/admin/client.js';

/** A transaction of the Prisma Client. */
export type AdminTransaction = Prisma.TransactionClient;

/** Runs statements in a transaction of the Prisma Client. */
export function statementsIn(tx: AdminTransaction): Queryable {
  return {
    rows: <R extends object>(text: string, params: unknown[] = []) =>
      tx.$queryRawUnsafe<R[]>(text, ...params),
  };
}

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
