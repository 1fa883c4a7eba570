import type {
  AlertInput,
  JsonObject,
  LeadVerdict,
  MemberDecision,
  OpenStorm,
  StormMember,
  Storms,
} from '@casefile/contracts';
import { isAnsweredRun } from '../answered-sql.js';
import type { Database } from '../database.js';
import { alertOf, type AlertParts } from '../hot/alert-parts.js';
import { isUuid, msOf, NEXT_CHECK_AT } from '../row-set.js';
import { nudgeColumns, rowNudge, type UnitNudgeRow } from '../rows.js';

/** Time in which a storm gets decisions after its newest alert. Longer than the hold of a member. */
const RECENT = "interval '15 minutes'";
/** Maximum number of members of one storm that are read. */
const MOST_MEMBERS = 10_000;

const MEMBERS = (storm: string): string => `(
  select coalesce(json_agg(json_build_object('caseId', m.case_id, 'runId', m.run_id, 'state', m.state, 'name', m.name,
    'services', m.services, 'dependsOn', m.depends_on, 'severity', m.severity, 'beganAt', ${msOf('m.began_at')},
    'joinedAt', ${msOf('m.joined_at')}) order by m.joined_at, m.run_id), '[]')
  from (select * from storm_members where storm_id = ${storm} order by joined_at, run_id limit ${MOST_MEMBERS}) m)`;

// A run that ended without a verdict never decides, so it counts as overruled.
const OPEN = `
  select s.case_id as id, s.playbook, row_to_json(a) as alert, ${MEMBERS('s.case_id')} as members, ${msOf('now()')} as now,
    case when r.status <> 'due' then json_build_object('runId', r.id, 'disposition', coalesce(r.disposition, 'review'),
      'openedAt', ${msOf('r.created_at')}, 'decidedAt', ${msOf('coalesce(r.decided_at, r.ended_at, now())')}, 'isOfStorm', coalesce(r.settings -> 'storm' ->> 'role' = 'lead', false),
      'isOverruled', r.status <> 'decided' or (${isAnsweredRun('c.id', 'r.id')})
        or exists (select from withheld_verdicts w where w.run_id = r.id)) end as verdict,
    c.status = 'decided' and c.resolved_at is null and not (${isAnsweredRun('c.id', 'r.id')}) as can_update
  from (select storm_id, min(joined_at) as since from storm_members
      where state <> 'lead' and joined_at > now() - ${RECENT} group by storm_id) f
    join storms s on s.case_id = f.storm_id join cases c on c.id = s.case_id join runs r on r.id = c.leading_run_id
    join (select id, playbook, text, image_type, null as image, rest, received_at from alerts) a on a.id = r.alert_id
  where s.playbook = any($2::text[]) order by f.since, s.case_id limit $1`;

interface OpenRow {
  id: string;
  playbook: string;
  alert: AlertParts;
  members: StormMember[];
  now: number;
  verdict: LeadVerdict | null;
  can_update: boolean;
}

// The verdict that a member takes is reviewed with the storm, so it does not wait for a reviewer itself.
const SETTLE = `
  with settled as (
    update storm_members set settled_at = now(), verdict_run_id = case when run_id = any($2::uuid[]) then $1::uuid end,
      state = case when run_id = any($2::uuid[]) then 'taken' else 'alone' end
    where run_id = any($2::uuid[] || $3::uuid[]) and state = 'waiting' returning run_id, state),
  reviewed as (
    update runs r set reviewed_at = now() from settled s where r.id = s.run_id and s.state = 'taken')
  update units u set held = false, resume_at = ${NEXT_CHECK_AT}, nudges = u.nudges + 1
  from settled s where u.run_id = s.run_id and u.unit = '' and u.status = 'due'
  returning ${nudgeColumns('u')}`;

const DECISION = `
  select m.state, ${msOf('(now() - m.joined_at)')} as waited_ms, v.case_id, v.id as run_id, a.body
  from storm_members m left join runs v on v.id = m.verdict_run_id
    left join artifacts a on a.run_id = v.id and a.artifact = 'verdict'
  where m.run_id = $1`;

/** Selects the storm of a case ($1) with its members. */
export const STORM_OF_CASE = `
  select m.storm_id as id, ${MEMBERS('m.storm_id')} as members from storm_members m
  where m.case_id = $1 order by m.joined_at desc limit 1`;
const OF_RUN = `
  select s.case_id as id, ${MEMBERS('s.case_id')} as members from storms s join runs r on r.case_id = s.case_id where r.id = $1`;

export interface StormRow {
  id: string;
  members: StormMember[];
}

/** Storms in Postgres. */
export function postgresStorms(database: Database): Storms {
  const one = async (statement: string, id: string) => {
    if (!isUuid(id)) return null;
    const [row] = await database.rows<StormRow>(statement, [id]);
    return row === undefined ? null : { leadCaseId: row.id, members: row.members };
  };
  return {
    open: async (limit, playbooks) => (await database.rows<OpenRow>(OPEN, [limit, playbooks])).map(openStorm),
    settle: async (taken, alone) => {
      const params = [taken?.verdictRunId ?? null, taken?.runIds ?? [], alone];
      return (await database.rows<UnitNudgeRow>(SETTLE, params)).map(rowNudge);
    },
    decisionOn: async (runId) => {
      if (!isUuid(runId)) return null;
      const [row] = await database.rows<DecisionRow>(DECISION, [runId]);
      return row === undefined ? null : decisionOf(row);
    },
    ofCase: (caseId) => one(STORM_OF_CASE, caseId),
    ofRun: (runId) => one(OF_RUN, runId),
  };
}

function openStorm({ alert, can_update: canUpdate, ...row }: OpenRow): OpenStorm {
  return { ...row, canUpdate, alert: alertOf(alert) as AlertInput };
}

interface DecisionRow {
  state: StormMember['state'];
  waited_ms: number;
  case_id: string | null;
  run_id: string | null;
  body: JsonObject | null;
}

// A verdict that is no longer on the record covers nothing.
function decisionOf({ state, ...row }: DecisionRow): MemberDecision | null {
  const { waited_ms: waitedMs, case_id: caseId, run_id: runId, body } = row;
  if (state === 'lead') return null;
  if (state === 'waiting') return { state, waitedMs };
  if (state === 'alone' || caseId === null || runId === null || body === null) return { state: 'alone' };
  return { state, caseId, runId, body };
}
