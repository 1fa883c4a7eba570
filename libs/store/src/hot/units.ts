import { LOOK_AGAIN_MS, type FlowWrites } from '@casefile/contracts';
import { claimWrite } from './claim.js';
import { commitWrite } from './commit.js';
import type { Database } from '../database.js';
import { HOLDS, LEASE_COLUMNS } from './record-rows.js';
import { RowSets } from '../row-set.js';
import { nudgeOf, type UnitNudgeRow } from '../rows.js';
import type { WriteLane } from '../write-lane.js';

const renewUnits = (leases: string): string => `
  with req as (select * from ${leases}),
  locked as (select u.run_id, u.unit from units u join req q on ${HOLDS}
    order by u.run_id, u.unit for no key update of u)
  update units u set lease_until = now() + $2::float8 * interval '1 ms',
    resume_at = now() + $2::float8 * interval '1 ms'
  from req q join locked l on l.run_id = q.run_id and l.unit = q.unit where ${HOLDS} returning q.i`;

/** What a worker does with a unit. */
export function postgresUnits(database: Database, lane: WriteLane): FlowWrites['units'] {
  return {
    claim: lane.entrance('claim', claimWrite(database)),
    commit: lane.entrance('commit', commitWrite),
    renew: (leases, leaseMs) => renewed(database, LEASE_COLUMNS, renewUnits, leases, leaseMs),
    // With a pause it is not due before that is over, and the sweeper sends its job.
    release: async (lease, pauseMs = 0) => {
      const sets = new RowSets();
      const after = pauseMs > 0 ? pauseMs : LOOK_AGAIN_MS;
      const rows = await database.rows<UnitNudgeRow>(
        `update units u set status = 'due', nudges = u.nudges + 1, shared_job = null, lease_until = null, left_at = now(),
           held = ${pauseMs > 0}, resume_at = now() + interval '${after} ms'
         from ${sets.add('q', LEASE_COLUMNS, [{ i: 0, ...lease }])} where ${HOLDS}
         returning u.run_id, u.unit, u.stage, u.round, u.lane, u.nudges`,
        sets.params,
      );
      return pauseMs > 0 ? [] : rows.map(nudgeOf);
    },
  };
}

/** Extends leases by such a statement; returns those that were lost. */
export async function renewed<L extends object>(
  database: Database,
  columns: string,
  statement: (leases: string) => string,
  leases: L[],
  leaseMs: number,
): Promise<L[]> {
  if (leases.length === 0) return [];
  const sets = new RowSets();
  const rows = leases.map((lease, i) => ({ i, ...lease }));
  const text = statement(sets.add('q', columns, rows));
  const kept = await database.rows<{ i: number }>(text, [...sets.params, leaseMs]);
  const alive = new Set(kept.map((row) => row.i));
  return leases.filter((_lease, i) => !alive.has(i));
}
