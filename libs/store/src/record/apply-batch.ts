import {
  InvalidInput,
  planProposal,
  type AppliedMember,
  type BatchChoice,
  type MemberToApply,
  type PreviewedMember,
  type ProposalPlan,
  type ProposedVerdict,
} from '@casefile/contracts';
import { assignments, copyColumns, insertInto } from '../columns.js';
import { rowSet, WithClause } from '../row-set.js';
import { SESSION } from './engagement-sessions.js';
import type { Queryable } from '../database.js';

// Statements that apply the verdicts of a batch.

/** Selects new verdicts of the batch $1 that are not compared with the earlier ones. $2: limit. */
export const TO_COMPARE = `
  select m.position, c.playbook, e.body as earlier, v.body as verdict
  from batch_members m join cases c on c.id = m.case_id join artifacts v on v.run_id = m.run_id and v.artifact = 'verdict'
    left join artifacts e on e.run_id = m.base_run_id and e.artifact = 'verdict'
  where m.batch_id = $1 and m.state = 'decided' and m.change is null order by m.position limit $2`;

/** Records the changes of members of the batch $1, as JSON in $2. */
export const MARK_COMPARED = `
  update batch_members m set change = c.change from json_to_recordset($2::json) as c(position int, change text)
  where m.batch_id = $1 and m.position = c.position and m.state = 'decided'`;

/** Columns of a member to apply. */
const MEMBER_TO_APPLY = `m.position, m.case_id as "caseId", m.run_id as "runId", c.playbook, v.body as verdict
  from batch_members m join cases c on c.id = m.case_id join artifacts v on v.run_id = m.run_id and v.artifact = 'verdict'`;

/** Selects members of the batch $1 whose verdicts are to be applied. $2: limit. */
export const TO_APPLY = `
  select ${MEMBER_TO_APPLY}
  where m.batch_id = $1 and m.state = 'decided' order by m.position limit $2`;

/** SQL condition: a person chose the case. */
const isChosen = (only: string, except: string) =>
  `(${only}::uuid[] is null or m.case_id = any(${only}::uuid[])) and m.case_id <> all(coalesce(${except}::uuid[], '{}'))`;

/** As TO_APPLY, of the cases $2 or those except $3. $4: position after which the page begins; $5: limit. */
const TO_PREVIEW = `
  select ${MEMBER_TO_APPLY}
  where m.batch_id = $1 and m.state = 'decided' and ${isChosen('$2', '$3')} and m.position > $4
  order by m.position limit $5`;

/** Selects those of the cases $2 that have a new verdict in the batch $1. */
const WITH_VERDICT = `
  select case_id from batch_members where batch_id = $1 and state = 'decided' and case_id = any($2::uuid[])`;

/** Leaves out the cases of the batch $1 that are not among $2, or are among $3. */
const LEAVE_OUT = `
  update batch_members m set state = 'left_out'
  where m.batch_id = $1 and m.state = 'decided' and not (${isChosen('$2', '$3')})`;

/**
 * Selects members of the batch $1 ($2: their positions). With `forUpdate` it locks them and their cases, like an act
 * of a person does. Statements after this one see every act that was recorded before. An erased verdict is
 * not current.
 */
const membersOfCases = (forUpdate: boolean): string => `
  with picked as (
    select m.position, m.case_id, m.base_run_id, m.run_id, m.change from batch_members m
    where m.batch_id = $1 and m.state = 'decided' and m.position = any($2::int[]) order by m.position ${forUpdate ? 'for update' : ''}),
  current as (
    select c.id, c.leading_run_id from cases c where c.id in (select case_id from picked) order by c.id ${forUpdate ? 'for no key update' : ''})
  select p.position, p.change, l.leading_run_id = p.base_run_id and not exists (
    select from artifacts v where v.run_id = p.run_id and v.artifact = 'verdict' and v.body ->> 'erased' = 'true') as is_current from picked p join current l on l.id = p.case_id`;

/** Selects the facts of locked members that decide on their verdicts. */
const FACTS_TO_APPLY = `
  select m.position, v.state as review,
    (not exists (select from artifacts a where a.run_id = m.base_run_id and a.artifact = 'verdict')
      or exists (select from deliveries d where d.run_id = m.base_run_id)) as is_delivered,
    exists (select from withheld_verdicts w where w.run_id = m.base_run_id) as is_withheld
  from batch_members m left join reviews v on v.case_id = m.case_id and v.run_id = m.base_run_id
  where m.batch_id = $1 and m.position = any($2::int[])`;

/**
 * Selects the corrections of the runs that the members repeated. With `forUpdate` it locks them, and waits until no
 * process is taking a row.
 */
const correctionsOfRuns = (forUpdate: boolean): string => `
  select m.position, o.id, o.taken_at is not null as sent, o.taken_at is not null and o.sent_at is null as is_leaving
  from batch_members m join corrected_verdicts o on o.case_id = m.case_id and o.run_id = m.base_run_id
  where m.batch_id = $1 and m.position = any($2::int[]) and o.cancelled_at is null and o.due_at is not null
  order by o.seq ${forUpdate ? 'for update of o' : ''}`;

const CANCEL_CORRECTIONS = 'update corrected_verdicts set cancelled_at = now() where id = any($1)';

/** Plans of members. */
const PLANNED_MEMBERS = rowSet('plan_rows', {
  position: 'int',
  result: 'text',
  sends: 'boolean',
  is_delivered: 'boolean',
});

/** Engagement sessions of verdicts, by the position of their member. */
const APPLIED_SESSIONS = rowSet('session_rows', { position: 'int', ...SESSION });

/**
 * Applies planned members of the batch $1. The case of an applied member now shows the new run. A run has one
 * delivery, whose id is the run's own. If receivers already have the same verdict, this delivery counts as made:
 * corrections of the run are delivered only if the run itself is. If an earlier run for the same alert opened a
 * session, the new run adds no message to it.
 */
const APPLY_VERDICTS = `planned as (
    select p.*, m.case_id, m.base_run_id, m.run_id from plan_rows p
    join batch_members m on m.batch_id = $1 and m.position = p.position and m.state = 'decided'),
  fits as (select * from planned where result = 'applied'),
  shown as (
    update cases c
    set ${assignments('cases', {
      leading_run_id: 'f.run_id',
      newest_run_id: 'f.run_id',
      ...copyColumns('r', 'lane', 'disposition', 'action', 'degraded'),
      method: "v.body ->> 'method'",
      decided_at: 'r.decided_at',
      updated_at: 'now()',
      status: "case when c.status = 'closed' then c.status else 'decided' end",
    })}
    from fits f join runs r on r.id = f.run_id join artifacts v on v.run_id = r.id and v.artifact = 'verdict'
    where c.id = f.case_id),
  opens as (
    select f.case_id, f.run_id, s.*, (
      select e.id from engagement_sessions e join runs x on x.id = e.id
      where x.case_id = f.case_id and x.alert_id = r.alert_id order by e.created_at limit 1) as known
    from session_rows s join fits f on f.position = s.position join runs r on r.id = f.run_id),
  session as (
    ${insertInto('engagement_sessions', {
      id: 'run_id',
      ...copyColumns(
        '',
        'session_id',
        'conversation',
        'case_id',
        'stage',
        'action',
        'category',
        'confidence',
        'red_flags',
      ),
    })} from opens where known is null
    on conflict (id) do nothing),
  goes_on as (
    update engagement_sessions e
    set ${assignments('engagement_sessions', {
      ...copyColumns('o', 'stage', 'action', 'category', 'confidence', 'red_flags'),
    })}
    from opens o where e.id = o.known),
  delivery as (
    ${insertInto('deliveries', {
      id: 'f.run_id::text',
      run_id: 'f.run_id',
      replaces: 'f.base_run_id',
      delivered_at: 'case when f.sends then null else now() end',
    })}
    from fits f where f.is_delivered
    on conflict (run_id) do nothing),
  told as (
    insert into events (type, case_id, run_id, data)
    select 'verdict.applied', f.case_id, f.run_id, json_build_object('replaces', f.base_run_id, 'batchId', $1::uuid)
    from fits f)`;
const MARK_APPLIED = `
  update batch_members m set state = p.result, sent = case when p.result = 'applied' then p.sends end
  from planned p where m.batch_id = $1 and m.position = p.position`;

export const LEFT = `select count(*)::int as n from batch_members where batch_id = $1 and state = 'decided'`;

type Planned = ProposalPlan & Pick<ProposedVerdict, 'isDelivered'> & { position: number };

/** Returns what applying would do now with chosen members, without locks. */
export async function previewMembers(
  on: Queryable,
  batchId: string,
  { caseIds = null, exceptCaseIds = null }: Nullable<BatchChoice>,
  after: number,
  limit: number,
): Promise<PreviewedMember[]> {
  const params = [batchId, caseIds, exceptCaseIds, after, limit];
  const members = await on.rows<MemberToApply>(TO_PREVIEW, params);
  const planned = await plans(on, batchId, members, { forUpdate: false });
  return members.flatMap((member): PreviewedMember[] => {
    const plan = planned.find(({ position }) => position === member.position);
    return plan === undefined ? [] : [{ ...member, result: plan.result, sends: plan.sends }];
  });
}

/**
 * Leaves out the members that are not chosen.
 * @throws InvalidInput if the choice names a case that has no new verdict in the batch.
 */
export async function chooseMembers(tx: Queryable, batchId: string, choice: BatchChoice): Promise<void> {
  const { caseIds = null, exceptCaseIds = null }: Nullable<BatchChoice> = choice;
  const field = caseIds === null ? 'exceptCaseIds' : 'caseIds';
  const named = caseIds ?? exceptCaseIds ?? [];
  const withVerdict = await tx.rows<{ case_id: string }>(WITH_VERDICT, [batchId, named]);
  const known = new Set(withVerdict.map(({ case_id }) => case_id));
  const unknown = named.findIndex((id) => !known.has(id.toLowerCase()));
  if (unknown >= 0)
    throw new InvalidInput(
      [{ path: `${field}[${unknown}]`, message: 'expected a case with a new verdict in this batch' }],
      'batch',
    );
  await tx.rows(LEAVE_OUT, [batchId, caseIds, exceptCaseIds]);
}

type Nullable<T> = { [K in keyof T]: T[K] | null };

/**
 * Applies verdicts of a batch in one transaction. It takes the lock that acts of people take, so an answer and a
 * proposed verdict are never decided from the same state of the case. A member whose correction is being sent stays.
 */
export async function applyMembers(
  tx: Queryable,
  batchId: string,
  members: readonly AppliedMember[],
): Promise<void> {
  const planned = await plans(tx, batchId, members, { forUpdate: true });
  const cancel = planned.flatMap((plan) => plan.cancel);
  if (cancel.length > 0) await tx.rows(CANCEL_CORRECTIONS, [cancel]);
  const rows = planned.map(({ position, result, sends, isDelivered }) => ({
    position,
    result,
    sends,
    isDelivered,
  }));
  const applied = new Set(
    planned.filter(({ result }) => result === 'applied').map(({ position }) => position),
  );
  const sessions = members.flatMap(({ position, effects }) =>
    applied.has(position) ? effects.map((session) => ({ position, ...session })) : [],
  );
  const { text, params } = new WithClause(batchId)
    .rows(PLANNED_MEMBERS, rows)
    .rows(APPLIED_SESSIONS, sessions, APPLY_VERDICTS)
    .statement(MARK_APPLIED);
  await tx.rows(text, params);
}

async function plans(
  on: Queryable,
  batchId: string,
  members: readonly Pick<AppliedMember, 'position'>[],
  { forUpdate }: { forUpdate: boolean },
): Promise<Planned[]> {
  const params = [batchId, members.map(({ position }) => position)];
  const current = byPosition(await on.rows<CurrentRow>(membersOfCases(forUpdate), params));
  const facts = byPosition(await on.rows<FactsRow>(FACTS_TO_APPLY, params));
  const corrections = await on.rows<CorrectionRow>(correctionsOfRuns(forUpdate), params);
  return members.flatMap(({ position }): Planned[] => {
    const [member, fact] = [current.get(position), facts.get(position)];
    // Another process has applied the member.
    if (member === undefined || fact === undefined) return [];
    const isDelivered = fact.is_delivered;
    const plan = planProposal({
      change: member.change,
      isCurrent: member.is_current,
      review: fact.review,
      isDelivered,
      isWithheld: fact.is_withheld,
      corrections: corrections
        .filter((row) => row.position === position)
        .map(({ id, sent, is_leaving }) => ({ id, sent, isLeaving: forUpdate && is_leaving })),
    });
    return plan === null ? [] : [{ position, isDelivered, ...plan }];
  });
}

function byPosition<T extends { position: number }>(rows: readonly T[]): Map<number, T> {
  return new Map(rows.map((row) => [row.position, row]));
}

interface CurrentRow {
  position: number;
  change: ProposedVerdict['change'];
  is_current: boolean;
}

interface FactsRow {
  position: number;
  review: ProposedVerdict['review'];
  is_delivered: boolean;
  is_withheld: boolean;
}

interface CorrectionRow {
  position: number;
  id: string;
  sent: boolean;
  is_leaving: boolean;
}
