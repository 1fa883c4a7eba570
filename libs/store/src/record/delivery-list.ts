import type {
  DeliveryAttempt,
  DeliveryEvent,
  OutboundDelivery,
  OutboundDeliveryQuery,
} from '@casefile/contracts';
import type { Database } from '../database.js';
import { isUuid } from '../row-set.js';
import { iso, recordOf } from '../rows.js';
import { atUs, pageOf, placeOfCursor, timeOfPlace } from './cursor.js';

const LIST = `
  select d.*, ${atUs('d.created_at')},
    (select coalesce(json_agg(json_build_object('at', a.at, 'status', a.status, 'latencyMs', a.latency_ms,
        'problem', a.problem, 'response', a.response) order by a.id), '[]')
      from delivery_attempts a where a.delivery_id = d.id) as requests,
    case when s.id is not null then json_build_object('id', s.id, 'author', s.author, 'reason', s.reason, 'endsAt', s.ends_at) end as silence
  from outbound_deliveries d left join silences s on s.id = d.silence_id
  where ($1::text is null or d.destination = $1) and ($2::uuid is null or d.case_id = $2) and ($3::text is null or d.state = $3)
    and ($4::text is null or (d.created_at, d.id) < (${timeOfPlace('$4')}, $5::uuid))
  order by d.created_at desc, d.id desc limit $6`;

type Columns = Omit<OutboundDelivery, 'attempts' | 'silence' | 'acknowledged' | 'escalated'>;
const deliveryOf = recordOf<Columns>()([
  'id',
  'destination',
  'kind',
  'state',
  'caseId',
  'runId',
  'message',
  'createdAt',
  'nextAt',
  'endedAt',
  'endedWhy',
]);

interface ListedDelivery {
  id: string;
  at_us: string;
  requests: DeliveryAttempt[];
  silence: OutboundDelivery['silence'];
  acknowledged_at: Date | null;
  acknowledged_by: string | null;
  event: DeliveryEvent | null;
}

/** Returns a page of deliveries with their attempts, newest first. @throws InvalidInput for a wrong cursor. */
export async function deliveryList(
  database: Database,
  { destination, caseId, state, cursor, limit }: OutboundDeliveryQuery,
): Promise<{ deliveries: OutboundDelivery[]; nextCursor: string | null }> {
  if (caseId !== undefined && !isUuid(caseId)) return { deliveries: [], nextCursor: null };
  const place = cursor === undefined ? undefined : placeOfCursor(cursor);
  const params = [destination, caseId, state, place?.createdAt, place?.id].map((value) => value ?? null);
  const rows = await database.rows<ListedDelivery>(LIST, [...params, limit + 1]);
  const { page, nextCursor } = pageOf(rows, limit);
  const deliveries = page.map((row) => ({
    ...deliveryOf(row),
    attempts: row.requests.map((attempt) => ({ ...attempt, at: iso(attempt.at) })),
    silence: row.silence === null ? null : { ...row.silence, endsAt: iso(row.silence.endsAt) },
    acknowledged:
      row.acknowledged_at === null
        ? null
        : { by: row.acknowledged_by ?? '', at: row.acknowledged_at.toISOString() },
    escalated: escalationOf(row.event),
  }));
  return { deliveries, nextCursor };
}

function escalationOf(event: DeliveryEvent | null): OutboundDelivery['escalated'] {
  const { escalatedFrom: from, escalatedWhy: why = 'not-accepted' } = event ?? {};
  return from === undefined ? null : { from, why };
}
