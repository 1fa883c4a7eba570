import type { StageKey } from '@casefile/contracts';
import type { Queryable } from '../database.js';
import { AGAIN, RowSets } from '../row-set.js';
import type { UnitNudgeRow } from '../rows.js';

type WokenRow = UnitNudgeRow & { i: number };

/**
 * The join of tool calls: makes those of the units due that are suspended at this place and have no call of the
 * step left open. The caller holds the units' locks in this transaction, and a statement sees all that was
 * committed before it: of two last calls that settle at once the second finds the first.
 */
export async function wakeSettled(tx: Queryable, places: (StageKey & { i: number })[]): Promise<WokenRow[]> {
  if (places.length === 0) return [];
  const sets = new RowSets();
  const source = sets.add('q', 'i int, run_id uuid, unit text, stage text, round int', places);
  return tx.rows<WokenRow>(
    `update units u set status = 'due', nudges = u.nudges + 1, wait_over = false, held = false,
       resume_at = ${AGAIN}
     from (select distinct on (run_id, unit) q.* from ${source} order by run_id, unit, i) q
     where u.run_id = q.run_id and u.unit = q.unit and u.stage = q.stage and u.round = q.round
       and u.status = 'suspended' and u.wait_signal is null
       and not exists (select from tool_calls t where t.run_id = u.run_id and t.unit = u.unit and t.stage = u.stage
         and t.round = u.round and t.step = u.wait_step and t.state in ('pending', 'running'))
     returning q.i, u.run_id, u.unit, u.stage, u.round, u.lane, u.nudges`,
    sets.params,
  );
}
