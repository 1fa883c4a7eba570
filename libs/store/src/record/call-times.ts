import type { CallTimes } from '@casefile/contracts';
import type { Database } from '../database.js';

/** Number of calls of each kind of case that count, the newest. */
const NEWEST = 20;

// A call without an answer ended at its deadline. Runs that wait for their provider have no deadline. Calls under
// another deadline than the newest call say nothing about the deadline in force.
const TIMES = `
  with placed as (
    select c.playbook, x.provider, x.model, x.created_at, coalesce(x.error_code in ('timeout', 'deadline'), false) as ended,
      x.latency_ms, (r.settings -> 'options' ->> 'deadlineMs')::float8 as deadline_ms,
      row_number() over (partition by c.playbook order by x.created_at desc, x.id desc) as n
    from llm_interactions x join runs r on r.id = x.run_id join cases c on c.id = r.case_id
    where x.created_at > now() - interval '1 hour' and x.read_from is null and x.state in ('completed', 'failed')
      and r.settings -> 'options' ->> 'deadlineMs' is not null and r.settings ->> 'onOutage' is distinct from 'later'),
  counted as (
    select p.*, first_value(p.deadline_ms) over (partition by p.playbook order by p.n) as newest_deadline
    from placed p where p.n <= ${NEWEST})
  select playbook, (array_agg(provider order by n))[1] as provider, (array_agg(model order by n))[1] as model,
    deadline_ms as "deadlineMs", count(*)::int as calls,
    (count(*) filter (where ended or latency_ms > deadline_ms))::int as late,
    percentile_cont(0.5) within group (order by coalesce(latency_ms, deadline_ms)) as "medianMs"
  from counted where deadline_ms = newest_deadline
  group by playbook, deadline_ms order by playbook`;

/** Reads how long the newest model calls of each kind of case took. */
export function callTimesIn(database: Database): () => Promise<CallTimes[]> {
  return () => database.rows<CallTimes>(TIMES);
}
