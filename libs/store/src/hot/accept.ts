import {
  firstNudge,
  LOOK_AGAIN_MS,
  nothingBefore,
  planAccept,
  runFacts,
  storableJson,
  stored,
  type AcceptPlan,
  type AcceptRequest,
  type AcceptResult,
  type CaseChange,
  type ClaimedWork,
  type KnownAtIntake,
  type OpenRunRequest,
  type StageNudge,
} from '@casefile/contracts';
import { alertOf, partsOf } from './alert-parts.js';
import type { Database, Queryable, Statement } from '../database.js';
import { AGAIN, msOf, RowSets, isUuid } from '../row-set.js';
import { unknownCase } from '../store-errors.js';

// Requests that may meet in one case or one key wait for each other here, in one order; the unique indexes are
// behind it. A hash that two keys share costs a wait and nothing else.
const LOCKS = `select pg_advisory_xact_lock(s.h) from (
  select distinct hashtextextended(k, 7) as h from unnest($1::text[]) k order by 1 offset 0) s`;

// What a case was decided by, as far as the next alert goes by it; what older verdicts lack is set in.
const VERDICT = `
  select json_build_object('runId', r.id, 'provider', r.settings ->> 'provider', 'method', a.body ->> 'method',
    'decidedAt', a.body ->> 'decidedAt', 'degraded', (a.body ->> 'degraded')::boolean,
    'degradedBy', coalesce(a.body -> 'degradedBy', '[]'::json), 'degradedNote', coalesce(a.body ->> 'degradedNote', ''))
  from runs r join artifacts a on a.run_id = r.id and a.artifact = 'verdict'
  where r.id = f.leading_run_id limit 1`;

// A run that was stopped or quarantined is not under way: nobody would see what joins it.
const OCCURRENCES = `
  select json_build_object('startedAt', ${msOf('f.started_at')}, 'coveredAt', ${msOf('f.covered_at')},
    'isResolved', f.resolved_at is not null, 'flaps', f.flaps,
    'isUnderWay', coalesce(bool_or(r.id = f.leading_run_id and r.status in ('due', 'parked')), false),
    'runsLastHour', count(*) filter (where r.lane in ('live', 'batch') and r.created_at > now() - interval '1 hour'))
  from runs r where r.case_id = f.id`;

const KNOWN = `
  with found as (
    select c.id, c.fingerprint, c.status, ${msOf('(now() - c.decided_at)')} as ago, c.newest_run_id, c.leading_run_id,
      c.started_at, c.covered_at, c.resolved_at, c.flaps
    from cases c where (c.status <> 'closed' and c.fingerprint = any($3::text[]))
      or (c.status <> 'closed' and c.id = any(array(select k.case_id from idempotency_keys k where k.key = any($4::text[]))))
      or (c.status = 'closed' and c.fingerprint = any($5::text[]))
    order by c.id for no key update of c)
  select
    (select json_agg(json_build_object('key', k.key, 'bodyDigest', k.body_digest, 'alertId', k.alert_id,
      'caseId', k.case_id, 'runId', k.run_id, 'joined', k.joined))
     from idempotency_keys k where k.key = any($1::text[])) as keys,
    (select json_agg(json_build_object('alertId', a.id, 'caseId', a.case_id, 'joined', a.created_at > c.created_at,
      'runId', coalesce((select r.id from runs r where r.case_id = a.case_id and r.alert_id = a.id limit 1), c.newest_run_id)))
     from alerts a join cases c on c.id = a.case_id where a.id = any($2::uuid[])) as alerts,
    (select json_agg(json_build_object('id', f.id, 'fingerprint', f.fingerprint, 'status', f.status,
      'decidedAgoMs', f.ago, 'newestRunId', f.newest_run_id, 'verdict', (${VERDICT}),
      'occurrences', case when f.fingerprint = any($5::text[]) then (${OCCURRENCES}) end) order by f.status = 'closed' desc)
     from found f) as cases,
    (select json_agg(p.provider) from provider_states p
     where p.state <> 'closed' and greatest(p.opened_until, p.probe_until) > now()) as "providersOut"`;

/** Takes many alerts in, in one transaction. */
export async function acceptAll(database: Database, given: AcceptRequest[]): Promise<AcceptResult[]> {
  const requests = given.map(withCleanKeys);
  const keys = requests.flatMap(({ idempotency }) => (idempotency === null ? [] : [idempotency.key]));
  // Without any, no case is looked for by its key.
  const again = requests.flatMap((r) =>
    r.again === 'key' && r.idempotency !== null ? [r.idempotency.key] : [],
  );
  const prints = requests.flatMap(({ fingerprint }) => (fingerprint === null ? [] : [fingerprint]));
  const occurring = requests.flatMap(({ fingerprint, occurrence = null }) =>
    fingerprint === null || occurrence === null ? [] : [fingerprint],
  );
  const locks = [...keys.map((key) => `key ${key}`), ...prints.map((print) => `fingerprint ${print}`)];
  return database.transaction(async (tx) => {
    // Sent together: the look-up is a statement of its own, so it sees what was committed before the locks were ours.
    const [, known] = await Promise.all([
      locks.length > 0 ? tx.rows(LOCKS, [locks]) : [],
      lookUp(tx, { keys, prints, alerts: requests.map((r) => r.alertId), again, occurring }),
    ]);
    const plan = planAccept(requests, known);
    if (plan.alerts.length > 0) tx.lastly(writeOf(plan));
    return plan.results.map((result, i) => withWork(requests[i], result));
  });
}

/** The answer, with the first stage where its run was opened and claimed: what a claim would have loaded. */
function withWork(request: AcceptRequest | undefined, result: AcceptResult): AcceptResult {
  if (request?.claimForMs === undefined || result.kind !== 'accepted' || result.runId !== request.runId)
    return result;
  const { runId, firstStage: stage, lane, settings, trace = null, alert, alertId, receivedAt } = request;
  const { image, ...parts } = partsOf(alert, alertId, receivedAt);
  const work: ClaimedWork = {
    lease: { runId, unit: '', stage, round: 1, epoch: 1 },
    caseId: result.caseId,
    lane,
    settings,
    trace,
    // As it will be read back, so that after a crash the stage finds the same.
    alert: alertOf({ ...stored(parts), image }),
    artifacts: {},
    ...nothingBefore(),
  };
  return { ...result, nudges: [], work };
}

// What is looked up must be as it is stored.
function withCleanKeys(request: AcceptRequest): AcceptRequest {
  return { ...request, ...stored({ fingerprint: request.fingerprint, idempotency: request.idempotency }) };
}

async function lookUp(
  tx: Queryable,
  wanted: Record<'keys' | 'prints' | 'alerts' | 'again' | 'occurring', string[]>,
): Promise<KnownAtIntake> {
  const params = [wanted.keys, wanted.alerts, wanted.prints, wanted.again, wanted.occurring];
  const [row] = await tx.rows<{ [K in keyof KnownAtIntake]: KnownAtIntake[K] | null }>(KNOWN, params);
  const { keys, alerts, cases, providersOut } = row ?? {};
  return { keys: keys ?? [], alerts: alerts ?? [], cases: cases ?? [], providersOut: providersOut ?? [] };
}

function writeOf(plan: AcceptPlan): Statement {
  const sets = new RowSets();
  const events = plan.events.map((event, n) => ({ n, ...event }));
  const source = {
    cases: sets.add('k', CASE_COLUMNS, [...plan.cases.values()].map(caseRow)),
    alerts: sets.add('a', ALERT_COLUMNS, plan.alerts.map(alertRow)),
    runs: sets.add('n', RUN_COLUMNS, plan.runs.map(runRow)),
    keys: sets.add('y', KEY_COLUMNS, plan.keys),
    events: sets.add('v', 'n int, type text, case_id uuid, run_id uuid, data json', events),
  };
  return { text: writeStatement(source), params: sets.params };
}

const CASE_COLUMNS = `id uuid, is_new boolean, playbook text, fingerprint text, alerts int, text text, run_id uuid, lane text,
  dataset text, started_at timestamptz, covered_at timestamptz, resolved boolean, flaps int, status text`;
const ALERT_COLUMNS = `id uuid, case_id uuid, playbook text, text text, "image_type" text, image text, rest json,
  "received_at" text`;
const RUN_COLUMNS = `run_id uuid, case_id uuid, alert_id uuid, lane text, settings json, trace text, first_stage text,
  claim_for_ms float8`;
const KEY_COLUMNS = 'key text, body_digest text, alert_id uuid, case_id uuid, run_id uuid, joined boolean';

const writeStatement = (source: Record<'cases' | 'alerts' | 'runs' | 'keys' | 'events', string>): string => `
  with changed as (select * from ${source.cases}),
  made as (
    insert into cases (id, playbook, fingerprint, alert_count, text, leading_run_id, newest_run_id, lane, dataset,
      started_at, covered_at, resolved_at, status)
    select id, playbook, fingerprint, alerts, text, run_id, run_id, lane, dataset, started_at, covered_at,
      case when resolved then now() end, coalesce(status, 'open') from changed where is_new),
  joined as (
    update cases c set alert_count = c.alert_count + k.alerts, text = coalesce(k.text, c.text), updated_at = now(),
      status = coalesce(k.status, case when k.run_id is null then c.status else 'open' end),
      started_at = coalesce(k.started_at, c.started_at), covered_at = coalesce(k.covered_at, c.covered_at),
      resolved_at = case when k.resolved then now() when not k.resolved then null else c.resolved_at end,
      flaps = coalesce(k.flaps, c.flaps),
      leading_run_id = coalesce(k.run_id, c.leading_run_id), newest_run_id = coalesce(k.run_id, c.newest_run_id),
      lane = case when k.run_id is null then c.lane else k.lane end,
      disposition = case when k.run_id is null then c.disposition end,
      action = case when k.run_id is null then c.action end
    from changed k where c.id = k.id and not k.is_new),
  alert as (
    insert into alerts (id, case_id, playbook, text, image_type, image, rest, received_at)
    select a.id, a.case_id, a.playbook, a.text, a.image_type, a.image, a.rest, a.received_at from ${source.alerts}),
  opened as (select * from ${source.runs}),
  run as (
    insert into runs (id, case_id, alert_id, lane, settings, trace)
    select run_id, case_id, alert_id, lane, settings, trace from opened),
  unit as (
    insert into units (run_id, unit, case_id, lane, stage, status, epoch, lease_until, resume_at)
    select run_id, '', case_id, lane, first_stage, case when claim_for_ms is null then 'due' else 'running' end,
      (claim_for_ms is not null)::int, now() + claim_for_ms * interval '1 ms',
      now() + coalesce(claim_for_ms, ${LOOK_AGAIN_MS}) * interval '1 ms' from opened),
  key as (
    insert into idempotency_keys (key, body_digest, alert_id, case_id, run_id, joined)
    select y.key, y.body_digest, y.alert_id, y.case_id, y.run_id, y.joined from ${source.keys})
  insert into events (type, case_id, run_id, data)
  select v.type, v.case_id, v.run_id, v.data from ${source.events} order by v.n`;

function caseRow({ occurrences, ...change }: CaseChange): object {
  const startedAt = timeOf(occurrences?.startedAt);
  const coveredAt = timeOf(occurrences?.coveredAt);
  return { ...change, startedAt, coveredAt, flaps: occurrences?.flaps ?? null };
}

function timeOf(ms: number | null | undefined): string | null {
  return ms === null || ms === undefined ? null : new Date(ms).toISOString();
}

function alertRow({ request, caseId }: AcceptPlan['alerts'][number]): object {
  return { ...partsOf(request.alert, request.alertId, request.receivedAt), caseId };
}

function runRow({ request, caseId }: AcceptPlan['runs'][number]): object {
  const { runId, alertId, lane, settings, firstStage, trace = null, claimForMs } = request;
  return { runId, caseId, alertId, lane, settings, trace, firstStage, claimForMs };
}

// A run that leads: the case is open again until it has its verdict. Of any other one the case shows nothing.
const OPEN_RUN = `
  with base as (
    select c.id as case_id, r.alert_id from cases c join runs r on r.id = coalesce($7::uuid, c.newest_run_id)
    where c.id = $1 and r.case_id = c.id for no key update of c),
  run as (
    insert into runs (id, case_id, alert_id, lane, settings)
    select $2::uuid, case_id, alert_id, $3, $4::json from base on conflict (id) do nothing returning *),
  unit as (
    insert into units (run_id, unit, case_id, lane, stage, resume_at)
    select id, '', case_id, lane, $5, ${AGAIN} from run),
  shown as (
    update cases c set newest_run_id = r.id, lane = r.lane, disposition = null, action = null, updated_at = now(),
      leading_run_id = r.id, status = case when c.status <> 'closed' then 'open' else c.status end
    from run r where $6::boolean and c.id = r.case_id)
  select b.alert_id, (select count(*)::int from run) as made from base b`;

const TELL = `insert into events (type, case_id, run_id, data) values ('run.created', $1, $2, $3::json)`;

/** Opens another run over the alert of the case's newest one. @throws CasefileError `unknown_case`. */
export async function openRun(
  database: Database,
  request: OpenRunRequest,
): Promise<{ runId: string; nudges: StageNudge[] }> {
  const { caseId, runId, lane, settings, firstStage, over = null } = request;
  const leads = request.leads ?? (lane === 'live' || lane === 'batch');
  await database.transaction(async (tx) => {
    const params = [caseId, runId, lane, storableJson(settings), firstStage, leads, over];
    const [row] = isUuid(caseId) ? await tx.rows<{ alert_id: string; made: number }>(OPEN_RUN, params) : [];
    if (row === undefined) throw unknownCase(caseId);
    if (row.made > 0)
      await tx.rows(TELL, [caseId, runId, storableJson(runFacts({ alertId: row.alert_id, lane, settings }))]);
  });
  return { runId, nudges: [firstNudge(request)] };
}
