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
    open_until: at('d."openUntil"'),
    subject: 'd.subject',
    event: 'd.event',
  })}
  from json_to_recordset($1) d(id uuid, destination text, kind text, key text, "caseId" uuid, "runId" uuid, "openUntil" float8,
    subject text, event json, "silenceId" text)
  on conflict do nothing`;

/** Writes deliveries that do not exist yet. */
export async function addDeliveries(
  on: Queryable,
  deliveries: readonly NewOutboundDelivery[],
  now: number,
): Promise<void> {
  if (deliveries.length > 0) await on.rows(ADD, [storableJson(deliveries), now]);
}
