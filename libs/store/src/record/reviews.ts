import {
  actToUndo,
  CasefileError,
  MOST_REVIEW_ACTS,
  REVIEW_EVENTS,
  reviewStanding,
  toStored,
  type NewReviewAct,
  type ReviewAct,
  type ReviewActType,
  type ReviewDetail,
  type ReviewItem,
  type Reviews,
  type ReviewStanding,
  type WaitingReviews,
  type JsonObject,
} from '@casefile/contracts';
import { recordAct } from '../admin/acts.js';
import type { Database, Queryable } from '../database.js';
import { isUuid } from '../row-set.js';
import { iso, isoOrNull } from '../rows.js';
import { correctionsOut, writeCorrection } from './corrections.js';
import { giveFeedback, WITHDRAW } from './feedback.js';
import {
  COUNT_WAITING,
  listReviews,
  overdueReviews,
  REVIEW_COLUMNS,
  reviewItem,
  timeAt,
} from './review-list.js';

const reviewSubject = (caseId: string): string => `review ${caseId}`;
const ACT_TYPES = Object.fromEntries(Object.entries(REVIEW_EVENTS).map(([act, type]) => [type, act]));

// Locks the case, because two acts on it must not interleave. The transaction is short, so workers that write
// to the same row hardly wait.
const LOCK = `
  select c.leading_run_id as run_id, r.status, r.disposition from cases c left join runs r on r.id = c.leading_run_id
  where c.id = $1 for no key update of c`;
const ACTS = `
  select id, type, "by", reason, data, at from acts where subject = $1 order by at, id`;
const SETTLE = `
  insert into reviews (case_id, run_id, state, assignee, snoozed_until, changed_at)
  values ($1, $2, $3, $4, $5::timestamptz, ${timeAt('$6')})
  on conflict (case_id) do update set run_id = excluded.run_id, state = excluded.state, assignee = excluded.assignee,
    snoozed_until = excluded.snoozed_until, changed_at = excluded.changed_at`;
// Sets `reviewed_at` of the case's other runs with the disposition `review` too: a newer verdict replaced
// theirs, so they need no review. The leading run $2 is reviewed unless the state of its review is `open`.
const MARK = `
  update runs set reviewed_at = case when id <> $2 or $3::boolean then coalesce(reviewed_at, now()) end
  where case_id = $1 and disposition = 'review' and (reviewed_at is null or id = $2)`;
const LABEL = 'select id from feedback where case_id = $1 and run_id = $2 and "by" = $3 limit 1';

const DETAIL = `
  select ${REVIEW_COLUMNS}, r.disposition, r.reviewed_at, v.snoozed_until > ${timeAt('$2')} as is_snoozed, a.body as verdict,
    (select coalesce(json_agg(w.person order by w.person), '[]') from review_viewers w
      where w.case_id = c.id and w.seen_at > ${timeAt('$2')} - interval '1 minute') as viewers
  from cases c join runs r on r.id = c.leading_run_id join artifacts a on a.run_id = r.id and a.artifact = 'verdict'
    left join reviews v on v.case_id = c.id
  where c.id = $1`;
/**
 * Selects the correction in force for the run $2 of the case $1. Without a row, the verdict of the run is in
 * force.
 */
export const CORRECTION_IN_FORCE = `
  select id, answer_id, body, due_at, sent_at from corrected_verdicts
  where case_id = $1 and run_id = $2 and cancelled_at is null order by seq desc limit 1`;
const VIEW = `
  insert into review_viewers (case_id, person, seen_at) select id, $2, ${timeAt('$3')} from cases where id = $1
  on conflict (case_id, person) do update set seen_at = excluded.seen_at`;

interface ActRow {
  id: string;
  type: string;
  by: string;
  reason: string;
  data: Omit<ReviewAct, 'actId' | 'act' | 'by' | 'at' | 'note'>;
  at: Date;
}

interface DetailRow {
  run_id: string;
  disposition: string;
  reviewed_at: Date | null;
  is_snoozed: boolean | null;
  verdict: JsonObject;
  viewers: string[];
}

interface StandingRow {
  id: string;
  answer_id: string | null;
  body: JsonObject;
  due_at: Date | null;
  sent_at: Date | null;
}

/** The review desk in Postgres. The state of a case follows from its acts, which are only ever added. */
export function postgresReviews(database: Database): Reviews {
  return {
    act: (act) => database.transaction((tx) => record(tx, toStored(act))),
    list: (query) => listReviews(database, query),
    waiting: async (now, withinHours) => {
      const rows = await database.rows<Omit<WaitingReviews, 'oldest'> & { oldest: Date }>(COUNT_WAITING, [
        now,
        JSON.stringify(withinHours),
      ]);
      return rows.map(({ oldest, ...row }) => ({ ...row, oldest: iso(oldest) }));
    },
    becameOverdue: (...period) => overdueReviews(database, ...period),
    get: (caseId, now) => (isUuid(caseId) ? detail(database, caseId, now) : Promise.resolve(null)),
    view: async (caseId, person, now) => {
      if (isUuid(caseId)) await database.rows(VIEW, toStored([caseId, person, now]));
    },
    ...correctionsOut(database),
  };
}

async function record(tx: Queryable, act: NewReviewAct): Promise<{ repeated: boolean }> {
  const { caseId, actId, by, note, now } = act;
  const [run] = isUuid(caseId) ? await tx.rows<{ run_id: string; status: string }>(LOCK, [caseId]) : [];
  if (run === undefined) throw new CasefileError('unknown_case', `no case has the id "${caseId}"`);
  const acts = await actsOn(tx, caseId);
  if (acts.some((one) => one.actId === actId)) return { repeated: true };
  if (run.status !== 'decided') throw new CasefileError('conflict', 'the case has no verdict to review');
  const runId = run.run_id;
  if (act.runId !== undefined && act.runId !== runId)
    throw new CasefileError('conflict', 'the case has a newer verdict: read it first');
  if (acts.length >= MOST_REVIEW_ACTS)
    throw new CasefileError('too_many', `A case takes at most ${MOST_REVIEW_ACTS} acts.`);
  const undone = act.act === 'undo' ? actToUndo(acts, by, act.undoes) : null;
  if (act.act === 'undo' && undone === null)
    throw new CasefileError('conflict', `${by} has done nothing here that can be undone`);
  const { outcome, part, assignee, until, bulk, event, foundAt = null } = act;
  const data = { runId, outcome, part, assignee, until, undoes: undone?.actId ?? null, bulk, event, foundAt };
  const recorded = {
    actId,
    by,
    reason: note ?? '',
    type: REVIEW_EVENTS[act.act],
    subject: reviewSubject(caseId),
  };
  if (!(await recordAct(tx, { ...recorded, data: { caseId, ...data }, caseId, runId })))
    return { repeated: true };
  const own: ReviewAct = { actId, act: act.act, by, at: new Date(now).toISOString(), note, ...data };
  const [before, after] = [reviewStanding(acts, runId), reviewStanding([...acts, own], runId)];
  await settle(tx, act, runId, after);
  await keepLabel(tx, act, runId, before, after);
  const answerId = after.standing?.act === 'correct' ? after.standing.actId : null;
  const { verdict, ids, sendAt } = act;
  await writeCorrection(tx, { caseId, runId, act, answerId, verdict, deliveryId: ids.delivery, now, sendAt });
  return { repeated: false };
}

async function actsOn(on: Queryable, caseId: string): Promise<ReviewAct[]> {
  const rows = await on.rows<ActRow>(ACTS, [reviewSubject(caseId)]);
  return rows.map(({ id, type, by, reason, data, at }) => {
    const { runId, outcome, part, assignee, until, undoes, bulk, event, foundAt = null } = data;
    const act = ACT_TYPES[type] as ReviewActType;
    const about = { runId, outcome, part, assignee, until, undoes, bulk, event, foundAt };
    return { actId: id, act, by, at: at.toISOString(), note: reason === '' ? null : reason, ...about };
  });
}

async function settle(
  tx: Queryable,
  { caseId, now }: NewReviewAct,
  runId: string,
  { state, assignee, snoozedUntil }: ReviewStanding,
): Promise<void> {
  await tx.rows(SETTLE, [caseId, runId, state, assignee, snoozedUntil, now]);
  await tx.rows(MARK, [caseId, runId, state !== 'open']);
}

// Keeps the label of a person equal to the newest answer of this person, because batches, experiments and
// exports read labels. An undone answer withdraws the label.
async function keepLabel(
  tx: Queryable,
  { caseId, by, ids }: NewReviewAct,
  runId: string,
  before: ReviewStanding,
  after: ReviewStanding,
): Promise<void> {
  const [old, label] = [before, after].map(({ answers }) => answers.find((answer) => answer.by === by));
  if (old?.actId === label?.actId) return;
  if (label === undefined) {
    const [known] = await tx.rows<{ id: string }>(LABEL, [caseId, runId, by]);
    if (known !== undefined) await tx.rows(WITHDRAW, [caseId, known.id]);
    return;
  }
  const { act, outcome, note, at, foundAt } = label;
  const about = { id: ids.label, caseId, runId, agrees: act === 'agree', outcome: outcome ?? {} };
  await giveFeedback(tx, { ...about, by, note, at: foundAt ?? at });
}

async function detail(database: Database, caseId: string, now: number): Promise<ReviewDetail | null> {
  const [row] = await database.rows<DetailRow>(DETAIL, [caseId, now]);
  if (row === undefined) return null;
  const runId = row.run_id;
  const [history, [standing]] = await Promise.all([
    actsOn(database, caseId),
    database.rows<StandingRow>(CORRECTION_IN_FORCE, [caseId, runId]),
  ]);
  const { state, answers } = reviewStanding(history, runId);
  const item: ReviewItem = reviewItem({ ...row, state: shownState(state, row) });
  return {
    ...item,
    answers,
    history,
    standing: standing?.body ?? row.verdict,
    correction:
      standing === undefined
        ? null
        : {
            deliveryId: standing.id,
            dueAt: isoOrNull(standing.due_at),
            sentAt: isoOrNull(standing.sent_at),
          },
    viewers: row.viewers,
  };
}

function shownState(state: ReviewStanding['state'], { is_snoozed }: DetailRow): ReviewItem['state'] {
  return state === 'open' && is_snoozed === true ? 'snoozed' : state;
}
