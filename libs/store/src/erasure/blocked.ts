import type { Queryable } from '../database.js';

/**
 * Selects cases ($1) with open work and what it is. Content is not erased under work that reads it, nor before a
 * person and the receivers have had the verdict.
 */
const BLOCKED = `
  select * from (
    select c.id as "caseId", case
      when exists (select from runs r where r.case_id = c.id and r.status in ('due', 'running', 'suspended'))
        then 'a run has not ended'
      when exists (select from runs r where r.case_id = c.id and r.status = 'parked' and r.lane <> 'shadow')
        then 'a run is parked: redrive or drop it'
      when exists (select from runs r where r.case_id = c.id and r.status = 'quarantined' and r.lane <> 'shadow')
        then 'a run is quarantined: redrive or drop it'
      when exists (select from batch_members m join batches b on b.id = m.batch_id
        where m.case_id = c.id and b.state in ('running', 'paused', 'applying'))
        then 'a batch judges the case again'
      when exists (select from evolutions e where e.playbook = c.playbook and e.state in ('running', 'paused')
        and strpos(e.progress::text, c.id::text) > 0)
        then 'a prompt evolution reads the case'
      when exists (select from runs r where r.id = c.leading_run_id and r.disposition = 'review'
        and r.reviewed_at is null and c.dataset is null)
        then 'its review is open'
      when exists (select from runs r join deliveries d on d.run_id = r.id
          where r.case_id = c.id and d.delivered_at is null)
        or exists (select from corrected_verdicts v where v.case_id = c.id and v.due_at is not null
          and v.sent_at is null and v.cancelled_at is null)
        then 'a verdict has not been delivered'
      when exists (select from outbound_deliveries o where o.case_id = c.id and o.ended_at is null)
        then 'a message to a destination has not been delivered'
      end as why
    from cases c where c.id = any($1::uuid[])) b
  where why is not null`;

/** Returns the cases with open work, each with the work that has to end first. */
export function blockedAmong(
  on: Queryable,
  caseIds: readonly string[],
): Promise<{ caseId: string; why: string }[]> {
  return on.rows(BLOCKED, [caseIds]);
}
