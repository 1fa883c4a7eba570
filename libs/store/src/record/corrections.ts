import {
  planCorrection,
  storableJson,
  type JsonObject,
  type ReviewAct,
  type Reviews,
} from '@casefile/contracts';
import type { Database, Queryable } from '../database.js';
import { CORRECTIONS, deliveryOf } from './deliveries.js';

const at = (parameter: string): string => `to_timestamp(${parameter}::float8 / 1000)`;

/**
 * After this time in milliseconds, a process that began to send a correction and did not finish counts as
 * dead.
 */
const TAKEN_FOR_MS = 30_000;

const PENDING = `v.sent_at is null and v.cancelled_at is null and v.due_at is not null
      and (v.taken_at is null or v.taken_at <= ${at('$1')} - interval '${TAKEN_FOR_MS} ms')`;
/** Receivers have the verdict of a later run, so an answer to the earlier verdict must not follow it. */
const OVERTAKEN = `exists (
        select from runs own, runs later join deliveries d on d.run_id = later.id
        where own.id = v.run_id and later.case_id = v.case_id and later.created_at > own.created_at
          and not exists (select from withheld_verdicts w where w.run_id = later.id))`;

// An overtaken correction is cancelled. Otherwise it would be pending for ever, and the case could not be erased.
// Only the oldest correction of a run is due, so that corrections are sent in order.
const TAKE = `
  with overtaken as (
    select v.id from corrected_verdicts v where ${PENDING} and ${OVERTAKEN} for update of v skip locked),
  cancelled as (update corrected_verdicts v set cancelled_at = ${at('$1')} from overtaken o where v.id = o.id),
  due as (
    select v.id from corrected_verdicts v join cases c on c.id = v.case_id
    where ${PENDING} and not ${OVERTAKEN} and v.due_at <= ${at('$1')} and c.playbook = any($3::text[])
      and not exists (
        select from corrected_verdicts o where o.case_id = v.case_id and o.run_id = v.run_id and o.seq < v.seq and o.due_at is not null
          and o.sent_at is null and o.cancelled_at is null)
    order by v.due_at, v.seq limit $2 for update of v skip locked)
  update corrected_verdicts v set taken_at = ${at('$1')} from due where v.id = due.id returning v.id`;
const TAKEN = `${CORRECTIONS} where v.id = any($1) order by v.due_at, v.seq`;
const SENT = `update corrected_verdicts set sent_at = ${at('$2')} where id = any($1) and sent_at is null`;

/** Corrections to send. The caller supplies the time at which they are due. */
export function correctionsOut(database: Database): Pick<Reviews, 'takeCorrections' | 'markCorrectionsSent'> {
  return {
    takeCorrections: async (now, limit, playbooks) => {
      const due = await database.rows<{ id: string }>(TAKE, [now, limit, playbooks]);
      if (due.length === 0) return [];
      const ids = due.map(({ id }) => id);
      return (await database.rows<{ replaces: string }>(TAKEN, [ids])).map(deliveryOf);
    },
    markCorrectionsSent: async (ids, now) => void (await database.rows(SENT, [ids, now])),
  };
}

// The lock waits until no other process is taking a row.
const ROWS = `
  select id, answer_id, taken_at is not null as sent from corrected_verdicts
  where case_id = $1 and run_id = $2 and cancelled_at is null order by seq for update`;
const CANCEL = `
  update corrected_verdicts set cancelled_at = ${at('$2')} where id = any($1)`;
const OF_ANSWER =
  'select body from corrected_verdicts where case_id = $1 and answer_id = $2 order by seq limit 1';
const OF_RUN = "select body from artifacts where run_id = $1 and artifact = 'verdict'";
// If the verdict itself is not delivered, its correction is not delivered either.
const ADD = `
  insert into corrected_verdicts (id, case_id, run_id, answer_id, body, due_at)
  select $1, $2, $3, $4, $5::json, case when exists (select from deliveries where run_id = $3) then ${at('$6')} end
  on conflict (id) do nothing`;

// A person who agrees with a withheld verdict decides that it leaves.
const RELEASE = `
  with released as (delete from withheld_verdicts where run_id = $1 returning run_id)
  update outbound_deliveries d set state = 'pending', created_at = ${at('$2')}, next_at = ${at('$2')}, ended_at = null, silence_id = null
  from released r where d.run_id = r.run_id and d.state = 'withheld' and d.kind = 'verdict'`;

// A correction that a later finding replaces is not sent. It is sent if that finding is withdrawn.
const KEEP = `
  insert into corrected_verdicts (id, case_id, run_id, answer_id, body, cancelled_at)
  values ($1, $2, $3, $4, $5::json, ${at('$6')}) on conflict (id) do nothing`;

/** The act that changes the verdict in force, with the fields that its correction needs. */
export interface CorrectingAct {
  caseId: string;
  runId: string;
  act: Pick<ReviewAct, 'act' | 'actId' | 'by' | 'note'>;
  /** The answer in force; null: there is none, or it agrees with the verdict. */
  answerId: string | null;
  /** The corrected verdict; null: this act corrects nothing. */
  verdict: object | null;
  deliveryId: string;
  now: number;
  sendAt: number;
}

/** Writes the correction that gives receivers the verdict in force, in the transaction of the act. */
export async function writeCorrection(tx: Queryable, correcting: CorrectingAct): Promise<void> {
  const { caseId, runId, act, answerId, verdict, deliveryId, now, sendAt } = correcting;
  if (verdict !== null && answerId !== act.actId) {
    await tx.rows(KEEP, [deliveryId, caseId, runId, act.actId, storableJson(verdict), now]);
    return;
  }
  const rows = await tx.rows<{ id: string; answer_id: string | null; sent: boolean }>(ROWS, [caseId, runId]);
  const plan = planCorrection(
    rows.map(({ id, answer_id, sent }) => ({ id, answerId: answer_id, sent })),
    answerId,
  );
  if (plan.cancel.length > 0) await tx.rows(CANCEL, [plan.cancel, now]);
  if (!plan.add && act.act === 'agree') await tx.rows(RELEASE, [runId, now]);
  if (!plan.add) return;
  const body = storableJson(await standingVerdict(tx, correcting));
  await tx.rows(ADD, [deliveryId, caseId, runId, answerId, body, sendAt]);
}

async function standingVerdict(tx: Queryable, correcting: CorrectingAct): Promise<object> {
  const { caseId, runId, act, answerId, verdict, now } = correcting;
  if (verdict !== null) return verdict;
  const [row] =
    answerId === null
      ? await tx.rows<{ body: JsonObject }>(OF_RUN, [runId])
      : await tx.rows<{ body: JsonObject }>(OF_ANSWER, [caseId, answerId]);
  const why = act.act === 'agree' ? 'The verdict of the run is right.' : 'An earlier answer was withdrawn.';
  const reason = act.note ?? why;
  return { ...row?.body, decidedBy: { person: act.by, at: new Date(now).toISOString(), reason } };
}
