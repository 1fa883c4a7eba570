import type { Deliveries, PendingDelivery } from '@casefile/contracts';
import type { Database } from '../database.js';
import { isUuid } from '../row-set.js';
import { recordOf } from '../rows.js';
import type { HotWrite, WriteLane } from '../write-lane.js';

const DELIVERIES = `
  select d.id as delivery_id, r.case_id, d.run_id, c.playbook, r.lane, a.body as verdict, d.replaces
  from deliveries d join runs r on r.id = d.run_id join cases c on c.id = r.case_id
    join artifacts a on a.run_id = d.run_id and a.artifact = 'verdict'`;

/** Selects corrected verdicts as deliveries. Each replaces the verdict of its own run. */
export const CORRECTIONS = `
  select v.id as delivery_id, v.case_id, v.run_id, c.playbook, r.lane, v.body as verdict, v.run_id as replaces
  from corrected_verdicts v join runs r on r.id = v.run_id join cases c on c.id = v.case_id`;

const PENDING = `${DELIVERIES}
  where d.delivered_at is null and d.created_at <= now() - $2::float8 * interval '1 ms' and c.playbook = any($3::text[])
  order by d.created_at, d.id limit $1`;

// Destinations have the verdict of a storm, and not those of its members.
const IS_WITHHELD = `
  select from withheld_verdicts where run_id = $1
  union all select from storm_members where run_id = $1 and state = 'taken'`;

const CORRECTED = `${CORRECTIONS} where v.run_id = $1 and v.id = $2`;

const MARK_DELIVERED =
  'update deliveries set delivered_at = now() where id = any($1) and delivered_at is null';

// Each request is a list of delivery ids.
const deliveredWrite: HotWrite<string[], void> = {
  name: 'delivered',
  statement: (requests) => ({ text: MARK_DELIVERED, params: [requests.flat()] }),
  results: (requests) => requests.map(() => undefined),
};

const toldOf = recordOf<Omit<PendingDelivery, 'replaces'>>()([
  'deliveryId',
  'caseId',
  'runId',
  'playbook',
  'lane',
  'verdict',
]);

/** Returns a delivery from its row. */
export function deliveryOf(row: { replaces: string | null }): PendingDelivery {
  return row.replaces === null ? toldOf(row) : { ...toldOf(row), replaces: row.replaces };
}

/** Verdicts to deliver, in Postgres. */
export class PostgresDeliveries implements Deliveries {
  constructor(
    private readonly database: Database,
    private readonly lane: WriteLane,
  ) {}

  pending(limit: number, olderThanMs: number, playbooks: readonly string[]): Promise<PendingDelivery[]> {
    return this.pendingRows(PENDING, [limit, olderThanMs, playbooks]);
  }

  async of(runId: string, deliveryId?: string): Promise<PendingDelivery | null> {
    if (!isUuid(runId)) return null;
    const [corrected] =
      deliveryId === undefined ? [] : await this.pendingRows(CORRECTED, [runId, deliveryId]);
    return corrected ?? (await this.pendingRows(`${DELIVERIES} where d.run_id = $1`, [runId]))[0] ?? null;
  }

  async isWithheld(runId: string): Promise<boolean> {
    return isUuid(runId) && (await this.database.rows(IS_WITHHELD, [runId])).length > 0;
  }

  markDelivered(deliveryIds: string[]): Promise<void> {
    return this.lane.write(deliveredWrite, deliveryIds);
  }

  private async pendingRows(text: string, params: unknown[]): Promise<PendingDelivery[]> {
    return (await this.database.rows<{ replaces: string | null }>(text, params)).map(deliveryOf);
  }
}
