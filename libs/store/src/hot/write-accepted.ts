import {
  correlationKeys,
  LOOK_AGAIN_MS,
  type AcceptPlan,
  type CaseChange,
  type KnownStorm,
  type StormAlert,
} from '@casefile/contracts';
import { assignments, tableColumns, copyColumns, insertInto } from '../columns.js';
import type { Statement } from '../database.js';
import { rowSet, WithClause, type RowIn } from '../row-set.js';
import { alertParts } from './alert-parts.js';

/**
 * Returns the statement that writes accepted alerts: cases, alerts, runs with their first units, keys and
 * events.
 */
export function writeAccepted(plan: AcceptPlan): Statement {
  const events = plan.events.map((event, n) => ({ n, ...event }));
  const parts = new WithClause();
  parts.someRows(RECOVERIES, plan.recoveries, REMEMBER);
  const joined = plan.joinedRecoveries.map((fingerprint) => ({ fingerprint }));
  parts.someRows(JOINED_RECOVERIES, joined, FORGET);
  parts.someRows(STORMS, plan.storms.map(stormRow), CHANGE_STORMS);
  parts.someRows(STORM_ALERTS, plan.stormAlerts.map(stormAlertRow), ADD_STORM_ALERTS);
  return parts
    .rows(CASES, [...plan.cases.values()].map(caseRow), CHANGE_CASES)
    .rows(ALERTS, plan.alerts.map(alertRow), KEEP_ALERTS)
    .rows(RUNS, plan.runs.map(runRow), OPEN_RUNS)
    .rows(KEYS, plan.keys, KEEP_KEYS)
    .rows(EVENTS, events)
    .statement(REPORT);
}

const CASES = rowSet('case_rows', {
  ...tableColumns(
    'cases',
    'id',
    'playbook',
    'fingerprint',
    'lane',
    'dataset',
    'started_at',
    'covered_at',
    'peak',
    'joined_by',
  ),
  is_new: 'boolean',
  alerts: 'int',
  text: 'text?',
  run_id: 'uuid?',
  resolved: 'boolean?',
  flaps: 'int?',
  status: 'text?',
});
const CHANGE_CASES = `made as (
    ${insertInto('cases', {
      ...copyColumns('', 'id', 'playbook', 'fingerprint'),
      alert_count: 'alerts',
      text: 'text',
      leading_run_id: 'run_id',
      newest_run_id: 'run_id',
      ...copyColumns('', 'lane', 'dataset', 'started_at', 'covered_at', 'peak', 'joined_by'),
      resolved_at: 'case when resolved then now() end',
      status: "coalesce(status, 'open')",
    })} from case_rows where is_new),
  joined as (
    update cases c
    set ${assignments('cases', {
      alert_count: 'c.alert_count + k.alerts',
      text: 'coalesce(k.text, c.text)',
      updated_at: 'now()',
      status: "coalesce(k.status, case when k.run_id is null then c.status else 'open' end)",
      started_at: 'coalesce(k.started_at, c.started_at)',
      covered_at: 'coalesce(k.covered_at, c.covered_at)',
      resolved_at: 'case when k.resolved then now() when not k.resolved then null else c.resolved_at end',
      flaps: 'coalesce(k.flaps, c.flaps)',
      flapped_at: 'case when k.flaps > c.flaps then now() else c.flapped_at end',
      peak: 'coalesce(k.peak, c.peak)',
      leading_run_id: 'coalesce(k.run_id, c.leading_run_id)',
      newest_run_id: 'coalesce(k.run_id, c.newest_run_id)',
      lane: 'case when k.run_id is null then c.lane else k.lane end',
      disposition: 'case when k.run_id is null then c.disposition end',
      action: 'case when k.run_id is null then c.action end',
    })}
    from case_rows k where c.id = k.id and not k.is_new)`;

const ALERTS = rowSet(
  'alert_rows',
  tableColumns('alerts', 'id', 'case_id', 'playbook', 'text', 'image_type', 'image', 'rest', 'received_at'),
);
const KEEP_ALERTS = `alert as (
    ${insertInto('alerts', {
      ...copyColumns('', 'id', 'case_id', 'playbook', 'text', 'image_type', 'image', 'rest', 'received_at'),
    })} from alert_rows)`;

const RUNS = rowSet('run_rows', {
  ...tableColumns('runs', 'case_id', 'alert_id', 'lane', 'settings', 'trace'),
  run_id: 'uuid',
  first_stage: 'text',
  /** Time in ms for which the first stage is claimed. null: it is due. */
  claim_for_ms: 'float8?',
  /** Time in ms before which the first stage does not start. null: it starts now. */
  hold_ms: 'float8?',
});
const OPEN_RUNS = `run as (
    ${insertInto('runs', {
      id: 'run_id',
      ...copyColumns('', 'case_id', 'alert_id', 'lane', 'settings', 'trace'),
    })} from run_rows),
  unit as (
    ${insertInto('units', {
      run_id: 'run_id',
      unit: "''",
      case_id: 'case_id',
      lane: 'lane',
      stage: 'first_stage',
      status: "case when claim_for_ms is null then 'due' else 'running' end",
      epoch: '(claim_for_ms is not null)::int',
      lease_until: "now() + claim_for_ms * interval '1 ms'",
      held: 'hold_ms is not null',
      resume_at: `now() + coalesce(claim_for_ms, hold_ms, ${LOOK_AGAIN_MS}) * interval '1 ms'`,
    })} from run_rows)`;

const KEYS = rowSet(
  'key_rows',
  tableColumns(
    'idempotency_keys',
    'key',
    'body_digest',
    'alert_id',
    'case_id',
    'run_id',
    'joined',
    'ignored',
  ),
);
const KEEP_KEYS = `key as (
    ${insertInto('idempotency_keys', {
      ...copyColumns('', 'key', 'body_digest', 'alert_id', 'case_id', 'run_id', 'joined', 'ignored'),
    })} from key_rows)`;

const RECOVERIES = rowSet('recovery_rows', tableColumns('recoveries', 'fingerprint', 'started_at'));
const REMEMBER = `recovery as (
    ${insertInto('recoveries', { ...copyColumns('', 'fingerprint', 'started_at') })} from recovery_rows
    on conflict (fingerprint) do update set started_at = excluded.started_at, at = now())`;
const JOINED_RECOVERIES = rowSet('joined_rows', tableColumns('recoveries', 'fingerprint'));
const FORGET = `forgotten as (
    delete from recoveries where fingerprint in (select fingerprint from joined_rows))`;

const STORMS = rowSet(
  'storm_rows',
  tableColumns('storms', 'case_id', 'playbook', 'keys', 'is_mapped', 'severity', 'first_at', 'last_at'),
);
const CHANGE_STORMS = `storm as (
    ${insertInto('storms', {
      ...copyColumns('', 'case_id', 'playbook', 'keys', 'is_mapped', 'severity', 'first_at', 'last_at'),
    })} from storm_rows
    on conflict (case_id) do update set keys = excluded.keys, is_mapped = excluded.is_mapped, severity = excluded.severity,
      first_at = excluded.first_at, last_at = excluded.last_at, seen_at = now())`;
const STORM_ALERTS = rowSet(
  'storm_alert_rows',
  tableColumns(
    'storm_members',
    'run_id',
    'storm_id',
    'case_id',
    'state',
    'name',
    'services',
    'depends_on',
    'severity',
    'began_at',
  ),
);
const ADD_STORM_ALERTS = `storm_alert as (
    ${insertInto('storm_members', {
      ...copyColumns(
        '',
        'run_id',
        'storm_id',
        'case_id',
        'state',
        'name',
        'services',
        'depends_on',
        'severity',
        'began_at',
      ),
    })} from storm_alert_rows)`;

const EVENTS = rowSet('event_rows', {
  n: 'int',
  ...tableColumns('events', 'type', 'case_id', 'run_id', 'data'),
});
const REPORT = `
  ${insertInto('events', { type: 'type', case_id: 'case_id', run_id: 'run_id', data: 'data' })}
  from event_rows order by n`;

function caseRow({ occurrences, ...change }: CaseChange): RowIn<typeof CASES> {
  const startedAt = msTime(occurrences?.startedAt);
  const coveredAt = msTime(occurrences?.coveredAt);
  const { flaps = null, peak = null } = occurrences ?? {};
  return { ...change, startedAt, coveredAt, flaps, peak };
}

function stormRow(storm: KnownStorm): RowIn<typeof STORMS> {
  const { id, playbook, isMapped, severity, firstAt, lastAt } = storm;
  const times = { firstAt: new Date(firstAt).toISOString(), lastAt: new Date(lastAt).toISOString() };
  return { caseId: id, playbook, keys: correlationKeys(storm), isMapped, severity, ...times };
}

function stormAlertRow({ correlation, ...at }: StormAlert): RowIn<typeof STORM_ALERTS> {
  const { stormId, caseId, runId, state } = at;
  const { name, services, dependsOn, severity, beganAt } = correlation;
  const facts = { name, services, dependsOn, severity, beganAt: new Date(beganAt).toISOString() };
  return { stormId, caseId, runId, state, ...facts };
}

function msTime(ms: number | null | undefined): string | null {
  return ms === null || ms === undefined ? null : new Date(ms).toISOString();
}

function alertRow({ request, caseId }: AcceptPlan['alerts'][number]): RowIn<typeof ALERTS> {
  const { alert, alertId, receivedAt } = request;
  const { image_type: imageType, received_at: _, ...parts } = alertParts(alert, alertId, receivedAt);
  return { ...parts, imageType, receivedAt, caseId };
}

function runRow({ request, caseId }: AcceptPlan['runs'][number]): RowIn<typeof RUNS> {
  const { runId, alertId, lane, settings, firstStage, trace = null, claimForMs, holdMs } = request;
  return { runId, caseId, alertId, lane, settings, trace, firstStage, claimForMs, holdMs };
}
