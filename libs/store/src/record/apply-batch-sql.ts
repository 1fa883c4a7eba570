import { assignments, copyColumns, insertInto } from '../columns.js';
import { rowSet } from '../row-set.js';
import { SESSION } from './engagement-sessions.js';

// Statements that apply the verdicts of a batch.

/** Selects members of the batch $1 whose verdicts are to be applied. $2: limit. */
export const TO_APPLY = `
  select m.position, c.playbook, v.body as verdict
  from batch_members m join cases c on c.id = m.case_id join artifacts v on v.run_id = m.run_id and v.artifact = 'verdict'
  where m.batch_id = $1 and m.state = 'decided' order by m.position limit $2`;

/** Engagement sessions of verdicts, by the position of their member. */
export const APPLIED_SESSIONS = rowSet('session_rows', { position: 'int', ...SESSION });

/**
 * Applies members of a batch ($1: the batch, $2: their positions). A case that still shows the repeated run
 * now shows the new run, and the verdict is delivered with the id of the run that it replaces. A run has one
 * delivery, whose id is the run's own. If an earlier run for the same alert opened a session, the new run
 * adds no message to it.
 */
export const APPLY_VERDICTS = `picked as (
    select m.position, m.case_id, m.base_run_id, m.run_id from batch_members m
    where m.batch_id = $1 and m.state = 'decided' and m.position = any($2::int[]) order by m.position for update),
  locked as (
    select c.id, c.leading_run_id from cases c where c.id in (select case_id from picked) order by c.id for no key update),
  fits as (
    select p.*, l.leading_run_id = p.base_run_id as fits from picked p join locked l on l.id = p.case_id),
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
    where f.fits and c.id = f.case_id),
  opens as (
    select f.case_id, f.run_id, s.*, (
      select e.id from engagement_sessions e join runs x on x.id = e.id
      where x.case_id = f.case_id and x.alert_id = r.alert_id order by e.created_at limit 1) as known
    from session_rows s join fits f on f.position = s.position and f.fits join runs r on r.id = f.run_id),
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
    ${insertInto('deliveries', { id: 'f.run_id::text', run_id: 'f.run_id', replaces: 'f.base_run_id' })}
    from fits f where f.fits
    on conflict (run_id) do nothing),
  told as (
    insert into events (type, case_id, run_id, data)
    select 'verdict.applied', f.case_id, f.run_id, json_build_object('replaces', f.base_run_id, 'batchId', $1::uuid)
    from fits f where f.fits)`;
export const MARK_APPLIED = `
  update batch_members m set state = case when f.fits then 'applied' else 'overtaken' end
  from fits f where m.batch_id = $1 and m.position = f.position`;

export const LEFT = `select count(*)::int as n from batch_members where batch_id = $1 and state = 'decided'`;
