import type { StageKey } from '@casefile/contracts';
import { assignments, tableColumns } from '../columns.js';
import type { Queryable } from '../database.js';
import { NEXT_CHECK_AT, rowSet, WithClause } from '../row-set.js';
import { nudgeColumns, type UnitNudgeRow } from '../rows.js';

const PLACES = rowSet('place_rows', {
  i: 'int',
  ...tableColumns('units', 'run_id', 'unit', 'stage', 'round'),
});

const WAKE = `
  update units u
  set ${assignments('units', {
    status: "'due'",
    nudges: 'u.nudges + 1',
    wait_over: 'false',
    held: 'false',
    resume_at: NEXT_CHECK_AT,
  })}
  from (select distinct on (run_id, unit) * from place_rows order by run_id, unit, i) q
  where u.run_id = q.run_id and u.unit = q.unit and u.stage = q.stage and u.round = q.round
    and u.status = 'suspended' and u.wait_signal is null
    and not exists (select from tool_calls t where t.run_id = u.run_id and t.unit = u.unit and t.stage = u.stage
      and t.round = u.round and t.step = u.wait_step and t.state in ('pending', 'running'))
  returning q.i, ${nudgeColumns('u')}`;

type WokenRow = UnitNudgeRow & { i: number };

/**
 * Joins tool calls: for each place (run, unit, stage, round), makes the suspended unit due if no call of its
 * step is open. The caller
 * holds the units' locks in this transaction. Each statement sees everything committed before it, so if the
 * last two calls settle concurrently, the second sees the first.
 */
export async function wakeSettled(tx: Queryable, places: (StageKey & { i: number })[]): Promise<WokenRow[]> {
  if (places.length === 0) return [];
  const { text, params } = new WithClause().rows(PLACES, places).statement(WAKE);
  return tx.rows<WokenRow>(text, params);
}
