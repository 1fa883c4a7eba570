import {
  isObject,
  storableJson,
  toStored,
  type AlertFields,
  type AlertInput,
  type NewSilence,
  type ShownSilence,
  type Silence,
  type Silences,
  type UnsilencedVerdict,
} from '@casefile/contracts';
import { recordAct } from '../admin/acts.js';
import { isAnsweredRun } from '../answered-sql.js';
import type { Database, Queryable } from '../database.js';
import { alertOf, type AlertParts } from '../hot/alert-parts.js';
import { recordOf } from '../rows.js';
import { at } from './add-deliveries.js';

/** Maximum number of silences that are over in a list. */
const MOST_OVER = 100;

const CREATE = `
  insert into silences (id, source, matchers, starts_at, ends_at, reason, author)
  values ($1, 'casefile', $2::json, $3::timestamptz, $4::timestamptz, $5, $6)`;
// A planned silence that is ended never starts.
const END = `
  update silences set ends_at = ${at('$2')}, starts_at = least(starts_at, ${at('$2')}), ended_by = $3
  where id = $1 and source = 'casefile' and ends_at > ${at('$2')} returning id`;
const IS_KNOWN_ACT = 'select from acts where id = $1';
const IN_FORCE = `
  select id, matchers from silences
  where starts_at <= ${at('$1')} and ends_at > ${at('$1')} and problem is null order by created_at, id`;

// A message that was withheld and then sent by a person is not counted.
const SHOWN = `
  select * from (
    select s.*, case when s.ends_at <= ${at('$1')} then 'over' when s.starts_at > ${at('$1')} then 'planned' else 'active' end as state
    from silences s) s
  cross join lateral (select count(*)::int as cases from (
    select distinct v.case_id from withheld_verdicts v where v.silence_id = s.id) v) of_cases
  cross join lateral (select count(*)::int as messages, count(*) filter (where v.is_critical)::int as critical
    from outbound_deliveries d left join withheld_verdicts v on v.run_id = d.run_id
    where d.silence_id = s.id and d.state = 'withheld') of_messages`;
const LIST = `
  with shown as (${SHOWN} where $2::text is null or s.state = $2),
    ranked as (select s.*, row_number() over (partition by s.state order by s.ends_at desc, s.id) as place from shown s)
  select * from ranked where state <> 'over' or place <= ${MOST_OVER}
  order by array_position(array['active', 'planned', 'over'], state),
    case when state = 'over' then - extract(epoch from ends_at) else extract(epoch from ends_at) end, id`;
const GET = `${SHOWN} where s.id = $2`;

const factsOf = recordOf<Omit<ShownSilence, 'withheld'>>()([
  'id',
  'source',
  'state',
  'matchers',
  'startsAt',
  'endsAt',
  'reason',
  'author',
  'endedBy',
  'problem',
]);

// Labels as a kind read them are in the brief. Those that the sender gave win over words of the alert.
const FIELDS = `
  select r.id as run_id, c.playbook, a.rest ->> 'source' as source, a.rest -> 'labels' as outer_labels,
    a.rest -> 'payload' -> 'labels' as body_labels, a.rest -> 'payload' -> 'alert' -> 'labels' as alert_labels,
    b.body -> 'input' -> 'labels' as read_labels, b.body -> 'input' ->> 'name' as name, b.body -> 'input' ->> 'severity' as severity
  from runs r join alerts a on a.id = r.alert_id join cases c on c.id = r.case_id
    left join lateral (select body from artifacts t where t.run_id = r.id and t.artifact = 'brief' order by t.round desc, t.unit limit 1) b on true
  where r.id = any($1::uuid[])`;

interface FieldsRow {
  run_id: string;
  playbook: string;
  source: string | null;
  outer_labels: unknown;
  body_labels: unknown;
  alert_labels: unknown;
  read_labels: unknown;
  name: string | null;
  severity: string | null;
}

// Receivers have, or will have, a verdict whose delivery was written before the silence.
const WITHHOLD = `
  insert into withheld_verdicts (run_id, case_id, silence_id, at, is_critical)
  select w."runId", w."caseId", w."silenceId", ${at('$2')}, w."isCritical"
  from json_to_recordset($1) w("runId" uuid, "caseId" uuid, "silenceId" text, "deliveryId" text, "isCritical" boolean)
  where not exists (select from outbound_deliveries d
    where d.run_id = w."runId" and d.key = w."deliveryId" and d.kind = 'verdict' and d.state <> 'withheld')
  on conflict (run_id) do nothing`;
/** Time after a silence in which an alert that ended may fire again, and an answer may be withdrawn. */
const SETTLED_AFTER = "interval '7 days'";
const OVER = `
  select * from (select w.run_id, w.case_id, c.playbook, row_to_json(a) as alert,
    coalesce(c.leading_run_id = w.run_id, false) and c.status <> 'closed' and not exists (
      select from case_erasures e where e.case_id = c.id) as leads,
    c.resolved_at is not null as is_over, (${isAnsweredRun('c.id', 'w.run_id')}) as is_answered, w.at,
    coalesce((r.settings ->> 'isEscalation')::boolean, false) as is_escalation,
    not exists (select from silences s where s.id = w.silence_id and s.ends_at > ${at('$1')} - ${SETTLED_AFTER}) as is_old
  from withheld_verdicts w join cases c on c.id = w.case_id join runs r on r.id = w.run_id
    join (select id, playbook, text, image_type, null as image, rest, received_at from alerts) a on a.id = r.alert_id
  where w.settled_at is null and c.playbook = any($3::text[]) and not exists (select from silences s
    where s.id = w.silence_id and s.starts_at <= ${at('$1')} and s.ends_at > ${at('$1')} and s.problem is null)
  ) v where is_old or not leads or not (is_over or is_answered) order by v.at, v.run_id limit $2`;
const SETTLE = `update withheld_verdicts set settled_at = ${at('$2')} where run_id = any($1::uuid[])`;
const MOVE = `
  with moves as (select * from json_to_recordset($1) m("runId" uuid, "silenceId" text)),
  deliveries as (update outbound_deliveries d set silence_id = m."silenceId" from moves m
    where d.run_id = m."runId" and d.state = 'withheld')
  update withheld_verdicts v set silence_id = m."silenceId" from moves m where v.run_id = m."runId"`;

const PUT_FOREIGN = `
  insert into silences as s (id, source, matchers, starts_at, ends_at, reason, author, problem)
  select f.id, $2, f.matchers, f."startsAt", f."endsAt", f.reason, f.author, f.problem
  from json_to_recordset($1) f(id text, matchers json, "startsAt" timestamptz, "endsAt" timestamptz, reason text, author text, problem text)
  on conflict (id) do update set matchers = excluded.matchers, starts_at = excluded.starts_at, ends_at = excluded.ends_at,
    reason = excluded.reason, author = excluded.author, problem = excluded.problem where s.source = $2`;
const END_FOREIGN = `
  update silences set ends_at = ${at('$3')}, starts_at = least(starts_at, ${at('$3')})
  where source = $2 and ends_at > ${at('$3')} and id <> all($1::text[])`;

const subjectOf = (id: string): string => `silence ${id}`;

/** Silences in Postgres. */
export function postgresSilences(database: Database): Silences {
  return {
    create: (...args) => database.transaction((tx) => create(tx, ...toStored(args))),
    end: (...args) => database.transaction((tx) => end(tx, ...toStored(args))),
    get: async (id, now) => {
      const [row] = await database.rows<Counts>(GET, [now, id]);
      return row === undefined ? null : shownOf(row);
    },
    list: async (state, now) => (await database.rows<Counts>(LIST, [now, state])).map(shownOf),
    inForce: (now) => database.rows<Silence>(IN_FORCE, [now]),
    fields: async (runIds) => (await database.rows<FieldsRow>(FIELDS, [runIds])).map(fieldsOf),
    withhold: async (verdicts, now) => {
      if (verdicts.length > 0) await database.rows(WITHHOLD, [storableJson(verdicts), now]);
    },
    over: async (now, limit, playbooks) => {
      const rows = await database.rows<{ alert: AlertParts }>(OVER, [now, limit, playbooks]);
      return rows.map((row) => ({ ...unsilencedOf(row), alert: alertOf(row.alert) as AlertInput }));
    },
    settle: async (runIds, now) => {
      if (runIds.length > 0) await database.rows(SETTLE, [runIds, now]);
    },
    move: async (moves) => {
      if (moves.length > 0) await database.rows(MOVE, [storableJson(moves)]);
    },
    replace: (source, silences, now) =>
      database.transaction(async (tx) => {
        await tx.rows(PUT_FOREIGN, [storableJson(silences), source]);
        await tx.rows(END_FOREIGN, [silences.map(({ id }) => id), source, now]);
      }),
  };
}

const unsilencedOf = recordOf<Omit<UnsilencedVerdict, 'alert'>>()([
  'runId',
  'caseId',
  'playbook',
  'leads',
  'isOver',
  'isAnswered',
  'isEscalation',
  'isOld',
]);

interface Counts {
  cases: number;
  messages: number;
  critical: number;
}

function shownOf(row: Counts): ShownSilence {
  const { cases, messages, critical } = row;
  return { ...factsOf(row), withheld: { cases, messages, critical } };
}

async function create(tx: Queryable, silence: NewSilence, act: Parameters<Silences['create']>[1]) {
  const { id, matchers, startsAt, endsAt, reason, author } = silence;
  const data = { silence: id, matchers: matchers.map((one) => ({ ...one })), startsAt, endsAt };
  if (!(await recordAct(tx, { ...act, type: 'silence.created', subject: subjectOf(id), data }))) return;
  await tx.rows(CREATE, [id, storableJson(matchers), startsAt, endsAt, reason, author]);
}

async function end(tx: Queryable, ...[id, act, now]: Parameters<Silences['end']>): Promise<boolean> {
  const ended = await tx.rows(END, [id, now, act.by]);
  if (ended.length === 0) return (await tx.rows(IS_KNOWN_ACT, [act.actId])).length > 0;
  return recordAct(tx, { ...act, type: 'silence.ended', subject: subjectOf(id), data: { silence: id } });
}

function fieldsOf(row: FieldsRow): AlertFields {
  const { run_id: runId, playbook, source, name, severity } = row;
  const stated = { kind: playbook, source, alertname: name, severity };
  const labels = [row.read_labels, row.outer_labels, row.body_labels, row.alert_labels].map(textsIn);
  return { runId, fields: Object.assign(textsIn(stated), ...labels) };
}

function textsIn(value: unknown): Record<string, string> {
  if (!isObject(value)) return {};
  return Object.fromEntries(
    Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}
