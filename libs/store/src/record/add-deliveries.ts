import { storableJson, type NewOutboundDelivery } from '@casefile/contracts';
import { insertInto } from '../columns.js';
import type { Queryable } from '../database.js';

/** Returns SQL for a time from a parameter in milliseconds since the epoch. */
export const at = (parameter: string): string => `to_timestamp(${parameter}::float8 / 1000)`;

const ADD = `
  ${insertInto('outbound_deliveries', {
    id: 'd.id',
    destination: 'd.destination',
    kind: 'd.kind',
    key: 'd.key',
    case_id: 'd."caseId"',
    run_id: 'd."runId"',
    created_at: at('$2'),
    state: `case when d."silenceId" is null then 'pending' else 'withheld' end`,
    next_at: `case when d."silenceId" is null then ${at('$2')} end`,
    ended_at: `case when d."silenceId" is not null then ${at('$2')} end`,
    silence_id: 'd."silenceId"',
    taken_until: at('d."takenUntil"'),
    open_until: at('d."openUntil"'),
    subject: 'd.subject',
    event: 'd.event',
  })}
  from json_to_recordset($1) d(id uuid, destination text, kind text, key text, "caseId" uuid, "runId" uuid, "openUntil" float8,
    subject text, event json, "silenceId" text, "takenUntil" float8)
  on conflict do nothing`;

const IS_SILENT = `select from silences where starts_at <= ${at('$2')} and ends_at > ${at('$2')} and problem is null`;
const ADD_UNLESS_SILENT = `
  with added as (${ADD.replace('on conflict', `where not exists (${IS_SILENT}) on conflict`)})
  select exists (${IS_SILENT}) as is_silent`;

/** Writes deliveries that do not exist yet, unless a silence is in force. Returns whether it wrote them. */
export async function addUnlessSilent(
  on: Queryable,
  deliveries: readonly NewOutboundDelivery[],
  now: number,
): Promise<boolean> {
  const [row] = await on.rows<{ is_silent: boolean }>(ADD_UNLESS_SILENT, [storableJson(deliveries), now]);
  return row?.is_silent === false;
}

/** Writes deliveries that do not exist yet. */
export async function addDeliveries(
  on: Queryable,
  deliveries: readonly NewOutboundDelivery[],
  now: number,
): Promise<void> {
  if (deliveries.length > 0) await on.rows(ADD, [storableJson(deliveries), now]);
}
