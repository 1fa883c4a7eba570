import { type OpenRunRequest, type StageNudge } from '@casefile/contracts';
import { unknownCase } from '../plan/store-errors.js';
import { firstNudge, runFacts } from '../plan/accept.js';
import { LOOK_AGAIN_MS } from '../plan/unit-state.js';
import { encode } from '../storable.js';
import type { Database } from './database.js';
import { isUuid } from './row-set.js';

// A run in the lanes live and batch leads: the case is open again until it has its verdict.
const OPEN_RUN = `
  with base as (
    select c.id as case_id, r.alert_id from cases c join runs r on r.id = c.newest_run_id
    where c.id = $1 for no key update of c),
  run as (
    insert into runs (id, case_id, alert_id, lane, settings)
    select $2::uuid, case_id, alert_id, $3, $4::json from base on conflict (id) do nothing returning *),
  unit as (
    insert into units (run_id, unit, case_id, lane, stage, resume_at)
    select id, '', case_id, lane, $5, now() + interval '${LOOK_AGAIN_MS} ms' from run),
  shown as (
    update cases c set newest_run_id = r.id, lane = r.lane, disposition = null, action = null, updated_at = now(),
      leading_run_id = case when r.lane in ('live', 'batch') then r.id else c.leading_run_id end,
      status = case when r.lane in ('live', 'batch') and c.status <> 'closed' then 'open' else c.status end
    from run r where c.id = r.case_id)
  select b.alert_id, (select count(*)::int from run) as made from base b`;

const TELL = `insert into events (type, case_id, run_id, data) values ('run.created', $1, $2, $3::json)`;

/** Opens another run over the alert of the case's newest one. @throws CasefileError `unknown_case`. */
export async function openRun(
  database: Database,
  request: OpenRunRequest,
): Promise<{ runId: string; nudges: StageNudge[] }> {
  const { caseId, runId, lane, settings, firstStage } = request;
  await database.transaction(async (tx) => {
    const params = [caseId, runId, lane, encode(settings), firstStage];
    const [row] = isUuid(caseId) ? await tx.rows<{ alert_id: string; made: number }>(OPEN_RUN, params) : [];
    if (row === undefined) throw unknownCase(caseId);
    if (row.made > 0)
      await tx.rows(TELL, [caseId, runId, encode(runFacts({ alertId: row.alert_id, lane, settings }))]);
  });
  return { runId, nudges: [firstNudge(request)] };
}
