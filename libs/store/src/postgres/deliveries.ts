import type { JsonObject, Lane, PendingDelivery } from '@casefile/contracts';
import type { Database } from './database.js';
import type { HotWrite } from './hot-write.js';
import { isUuid } from './row-set.js';

interface DeliveryRow {
  id: string;
  case_id: string;
  run_id: string;
  playbook: string;
  lane: Lane;
  body: JsonObject;
}

const DELIVERIES = `
  select d.id, r.case_id, d.run_id, c.playbook, r.lane, a.body
  from deliveries d join runs r on r.id = d.run_id join cases c on c.id = r.case_id
    join artifacts a on a.run_id = d.run_id and a.artifact = 'verdict'`;

const MARK_DELIVERED =
  'update deliveries set delivered_at = now() where id = any($1) and delivered_at is null';

export async function pendingDeliveries(
  database: Database,
  limit: number,
  olderThanMs: number,
): Promise<PendingDelivery[]> {
  const rows = await database.rows<DeliveryRow>(
    `${DELIVERIES} where d.delivered_at is null and d.created_at <= now() - $2::float8 * interval '1 ms'
     order by d.created_at, d.id limit $1`,
    [limit, olderThanMs],
  );
  return rows.map(deliveryOf);
}

export async function delivery(database: Database, runId: string): Promise<PendingDelivery | null> {
  if (!isUuid(runId)) return null;
  const [row] = await database.rows<DeliveryRow>(`${DELIVERIES} where d.run_id = $1`, [runId]);
  return row === undefined ? null : deliveryOf(row);
}

/** Marks verdicts as handed out; one request is a list of delivery ids. */
export const deliveredWrite: HotWrite<string[], void> = {
  statement: (requests) => ({ text: MARK_DELIVERED, params: [requests.flat()] }),
  results: (requests) => requests.map(() => undefined),
};

function deliveryOf(row: DeliveryRow): PendingDelivery {
  const { id, case_id: caseId, run_id: runId, playbook, lane, body } = row;
  return { deliveryId: id, caseId, runId, playbook, lane, verdict: body };
}
