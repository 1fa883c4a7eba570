import {
  firstNudge,
  NO_GRADE,
  nothingBefore,
  planAccept,
  runFacts,
  correlationKeys,
  keyedCorrelation,
  storableJson,
  toStored,
  type AcceptRequest,
  type AcceptResult,
  type ClaimedWork,
  type KnownAtIntake,
  type KnownStorm,
  type OpenRunRequest,
  type StageNudge,
} from '@casefile/contracts';
import { isAnsweredRun } from '../answered-sql.js';
import { alertOf, alertParts } from './alert-parts.js';
import { assignments, insertInto } from '../columns.js';
import type { Database, Queryable } from '../database.js';
import { NEXT_CHECK_AT, isUuid, msOf } from '../row-set.js';
import { unknownCase } from '../store-errors.js';
import { writeAccepted } from './write-accepted.js';

// Concurrent requests with the same case or key wait here, locked in a fixed order. Unique indexes would
// refuse a duplicate as well. If two keys share a hash, one request waits unnecessarily.
const LOCKS = `select pg_advisory_xact_lock(s.h) from (
  select distinct hashtextextended(k, 7) as h from unnest($1::text[]) k order by 1 offset 0) s`;

// The verdict of a case, with the fields that decide about the next alert. Fields that older verdicts lack
// are filled in.
const VERDICT = `
  select json_build_object('runId', r.id, 'provider', r.settings ->> 'provider', 'method', a.body ->> 'method',
    'decidedAt', a.body ->> 'decidedAt', 'degraded', (a.body ->> 'degraded')::boolean,
    'degradedBy', coalesce(a.body -> 'degradedBy', '[]'::json), 'degradedNote', coalesce(a.body ->> 'degradedNote', ''),
    'isCorrected', exists (select from corrected_verdicts v where v.case_id = f.id and v.run_id = r.id
      and v.due_at is not null and v.cancelled_at is null))
  from runs r join artifacts a on a.run_id = r.id and a.artifact = 'verdict'
  where r.id = f.leading_run_id limit 1`;

const ANSWERED = isAnsweredRun('f.id', 'f.leading_run_id');

// Runs of a batch or a replay judge no alert. They neither hold later alerts back nor count to the hourly limit.
const JUDGES_ALERT = `(r.lane = 'live' or (r.lane = 'batch' and r.settings ->> 'outward' is distinct from 'false'))`;

// The hold-off of a case that a person decided begins again with each proposal, which does not change the case.
const NEWEST_AGO = `(select ${msOf('(now() - max(r.created_at))')} from runs r
  where r.case_id = f.id and ${JUDGES_ALERT})`;

// Stopped and quarantined runs do not count as running: an alert that joined such a run would never be judged.
const OCCURRENCES = `
  select json_build_object('startedAt', ${msOf('f.started_at')}, 'coveredAt', ${msOf('f.covered_at')},
    'isResolved', f.resolved_at is not null, 'flaps', f.flaps,
    'lastAgoMs', coalesce((select ${msOf('(now() - max(a.created_at))')} from alerts a where a.case_id = f.id), 0),
    'peak', coalesce(f.peak, '${JSON.stringify(NO_GRADE)}'::json),
    'isUnderWay', coalesce(bool_or(r.id = f.leading_run_id and r.status in ('due', 'parked')), false),
    'runsLastHour', count(*) filter (where ${JUDGES_ALERT} and r.created_at > now() - interval '1 hour'))
  from runs r where r.case_id = f.id`;

// The page of a storm is open while its judged alert fires.
const IS_STORM_MEMBER = `coalesce((
  select m.state in ('waiting', 'taken') and l.resolved_at is null and l.status <> 'closed'
  from storm_members m join cases l on l.id = m.storm_id where m.case_id = f.id order by m.joined_at desc limit 1), false)`;

const KNOWN = `
  with found as (
    select c.id, c.fingerprint, c.status, ${msOf('(now() - c.decided_at)')} as ago, c.newest_run_id, c.leading_run_id,
      c.started_at, c.covered_at, c.resolved_at, c.flaps, c.peak
    from cases c where (c.status <> 'closed' and c.fingerprint = any($3::text[]))
      or (c.status <> 'closed' and c.id = any(array(select k.case_id from idempotency_keys k where k.key = any($4::text[]))))
      or (c.status = 'closed' and c.fingerprint = any($5::text[]))
    order by c.id for no key update of c)
  select
    (select json_agg(json_build_object('key', k.key, 'bodyDigest', k.body_digest, 'alertId', k.alert_id,
      'caseId', k.case_id, 'runId', k.run_id, 'joined', k.joined, 'ignored', k.ignored))
     from idempotency_keys k where k.key = any($1::text[])) as keys,
    (select json_agg(json_build_object('alertId', a.id, 'caseId', a.case_id, 'joined', a.created_at > c.created_at,
      'runId', coalesce((select r.id from runs r where r.case_id = a.case_id and r.alert_id = a.id limit 1), c.newest_run_id)))
     from alerts a join cases c on c.id = a.case_id where a.id = any($2::uuid[])) as alerts,
    (select json_agg(json_build_object('id', f.id, 'fingerprint', f.fingerprint, 'status', f.status,
      'decidedAgoMs', case when (${ANSWERED}) then least(f.ago, ${NEWEST_AGO}) else f.ago end,
      'isAnswered', (${ANSWERED}), 'newestRunId', f.newest_run_id, 'verdict', (${VERDICT}),
      'isStormMember', f.fingerprint = any($5::text[]) and ${IS_STORM_MEMBER},
      'occurrences', case when f.fingerprint = any($5::text[]) then (${OCCURRENCES}) end) order by f.status = 'closed' desc)
     from found f) as cases,
    (select json_agg(p.provider) from provider_states p
     where p.state <> 'closed' and greatest(p.opened_until, p.probe_until) > now()) as "providersOut",
    (select json_agg(json_build_object('fingerprint', o.fingerprint, 'startedAt', ${msOf('o.started_at')},
      'at', ${msOf('o.at')}, 'agoMs', ${msOf('(now() - o.at)')}))
     from recoveries o where o.fingerprint = any($5::text[])) as recoveries,
    (select json_agg(json_build_object('id', s.case_id, 'playbook', s.playbook, 'keys', s.keys, 'isMapped', s.is_mapped,
      'severity', s.severity, 'firstAt', ${msOf('s.first_at')}, 'lastAt', ${msOf('s.last_at')},
      'seenAgoMs', ${msOf('(now() - s.seen_at)')},
      'isOpen', c.resolved_at is null and c.status <> 'closed' and not (${isAnsweredRun('c.id', 'c.leading_run_id')})))
     from storms s join cases c on c.id = s.case_id
     where s.keys && $6::text[] and s.seen_at > now() - interval '1 day') as storms`;

/** Accepts many alerts in one transaction. */
export async function acceptAll(database: Database, received: AcceptRequest[]): Promise<AcceptResult[]> {
  // Search keys are compared with stored text, so they are converted in the same way.
  const requests = received.map((request) => {
    const { fingerprint, idempotency } = request;
    return { ...request, ...toStored({ fingerprint, idempotency }) };
  });
  const keys = requests.flatMap(({ idempotency }) => (idempotency === null ? [] : [idempotency.key]));
  // Requests that may find a case by its key. If there are none, the query is skipped.
  const again = requests.flatMap((r) =>
    r.again === 'key' && r.idempotency !== null ? [r.idempotency.key] : [],
  );
  const prints = requests.flatMap(({ fingerprint }) => (fingerprint === null ? [] : [fingerprint]));
  const occurring = requests.flatMap(({ fingerprint, occurrence = null }) =>
    fingerprint === null || occurrence === null ? [] : [fingerprint],
  );
  const correlated = requests.flatMap(({ correlation }) =>
    correlation === undefined ? [] : correlationKeys(correlation),
  );
  const locks = [
    ...keys.map((key) => `key ${key}`),
    ...prints.map((print) => `fingerprint ${print}`),
    ...correlated.map((key) => `storm ${key}`),
  ];
  return database.transaction(async (tx) => {
    // Both statements are sent together. The query is a separate statement, so that it sees everything
    // committed before the locks were granted.
    const [, known] = await Promise.all([
      locks.length > 0 ? tx.rows(LOCKS, [locks]) : [],
      lookUp(tx, { keys, prints, alerts: requests.map((r) => r.alertId), again, occurring, correlated }),
    ]);
    const plan = planAccept(requests, known);
    // An ignored alert writes only its key and its end.
    if (plan.alerts.length + plan.recoveries.length + plan.keys.length > 0) tx.lastly(writeAccepted(plan));
    // The plan changes settings of some requests.
    const planned = new Map(plan.runs.map(({ request }) => [request.runId, request]));
    return plan.results.map((result, i) => withWork(planned.get(requests[i]?.runId ?? ''), result));
  });
}

/**
 * Adds the input of the first stage to the result if the run was opened and claimed, as a claim would return
 * it.
 */
function withWork(request: AcceptRequest | undefined, result: AcceptResult): AcceptResult {
  if (request?.claimForMs === undefined || result.kind !== 'accepted' || result.runId !== request.runId)
    return result;
  const { runId, firstStage: stage, lane, settings, trace = null, alert, alertId, receivedAt } = request;
  const { image, ...parts } = alertParts(alert, alertId, receivedAt);
  const work: ClaimedWork = {
    lease: { runId, unit: '', stage, round: 1, epoch: 1 },
    caseId: result.caseId,
    lane,
    settings,
    trace,
    // Uses the stored form, so that the stage gets the same alert after a crash.
    alert: alertOf({ ...toStored(parts), image }),
    artifacts: {},
    ...nothingBefore(),
  };
  return { ...result, nudges: [], work };
}

async function lookUp(
  tx: Queryable,
  wanted: Record<'keys' | 'prints' | 'alerts' | 'again' | 'occurring' | 'correlated', string[]>,
): Promise<KnownAtIntake> {
  const { occurring, correlated } = wanted;
  const params = [wanted.keys, wanted.alerts, wanted.prints, wanted.again, occurring, correlated];
  const [row] = await tx.rows<KnownRow>(KNOWN, params);
  const { keys, alerts, cases, providersOut, recoveries, storms } = row ?? {};
  return {
    keys: keys ?? [],
    alerts: alerts ?? [],
    cases: cases ?? [],
    providersOut: providersOut ?? [],
    recoveries: recoveries ?? [],
    storms: (storms ?? []).map(({ keys: stored, ...storm }) => ({ ...storm, ...keyedCorrelation(stored) })),
  };
}

type StoredStorm = Omit<KnownStorm, 'group' | 'near'> & { keys: string[] };
type KnownRow = { [K in Exclude<keyof KnownAtIntake, 'storms'>]: KnownAtIntake[K] | null } & {
  storms: StoredStorm[] | null;
};

// If the run leads its case, the case is open again until the run has a verdict. Other runs do not change the
// case.
const OPEN_RUN = `
  with base as (
    select c.id as case_id, r.alert_id from cases c join runs r on r.id = coalesce($7::uuid, c.newest_run_id)
    where c.id = $1 and r.case_id = c.id and (not $8::boolean or (c.leading_run_id = r.id and c.status = 'decided'
        and c.resolved_at is null and not (${isAnsweredRun('c.id', 'r.id')})))
    for no key update of c),
  run as (
    ${insertInto('runs', { id: '$2::uuid', case_id: 'case_id', alert_id: 'alert_id', lane: '$3', settings: '$4::json' })}
    from base on conflict (id) do nothing returning *),
  unit as (
    ${insertInto('units', {
      run_id: 'id',
      unit: "''",
      case_id: 'case_id',
      lane: 'lane',
      stage: '$5',
      resume_at: NEXT_CHECK_AT,
    })} from run),
  shown as (
    update cases c
    set ${assignments('cases', {
      newest_run_id: 'r.id',
      leading_run_id: 'r.id',
      lane: 'r.lane',
      disposition: 'null',
      action: 'null',
      updated_at: 'now()',
      status: "case when c.status <> 'closed' then 'open' else c.status end",
    })}
    from run r where $6::boolean and c.id = r.case_id)
  select b.alert_id, (select count(*)::int from run) as made from base b`;

const TELL = insertInto('events', {
  type: "'run.created'",
  case_id: '$1::uuid',
  run_id: '$2::uuid',
  data: '$3::json',
});

/** Opens another run for the alert of the case's newest run. @throws CasefileError `unknown_case`. */
export async function openRun(
  database: Database,
  request: OpenRunRequest,
): Promise<{ runId: string; nudges: StageNudge[] }> {
  const { caseId, runId, lane, settings, firstStage, over = null, onlyIfFiring = false } = request;
  let nudges = [firstNudge(request)];
  const leads = request.leads ?? (lane === 'live' || lane === 'batch');
  await database.transaction(async (tx) => {
    const params = [caseId, runId, lane, storableJson(settings), firstStage, leads, over, onlyIfFiring];
    const [row] = isUuid(caseId) ? await tx.rows<{ alert_id: string; made: number }>(OPEN_RUN, params) : [];
    if (row === undefined && !onlyIfFiring) throw unknownCase(caseId);
    if (row === undefined) nudges = [];
    if (row !== undefined && row.made > 0)
      await tx.rows(TELL, [caseId, runId, storableJson(runFacts({ alertId: row.alert_id, lane, settings }))]);
  });
  return { runId, nudges };
}
