import {
  LOOK_AGAIN_MS,
  type Activity,
  type ClaimRequest,
  type ClaimResult,
  type CommitRequest,
  type CommitResult,
  type Lease,
  type Nudge,
  type SweepCandidate,
  type Units,
} from '@casefile/contracts';
import { claimWrite } from './claim.js';
import { commitWrite } from './commit.js';
import { assignments } from '../columns.js';
import type { Database, Statement } from '../database.js';
import { activity, allDue, postpone, renudge, sweep } from '../record/sweep.js';
import { HOLDS, LEASE } from './record-rows.js';
import { rowSet, WithClause } from '../row-set.js';
import { nudgeColumns, rowNudge, type UnitNudgeRow } from '../rows.js';
import type { WriteLane } from '../write-lane.js';

const LEASES = rowSet('request_rows', LEASE);
const UNTIL = `now() + $1::float8 * interval '1 ms'`;

const RENEW_UNITS = `
  update units u set ${assignments('units', { lease_until: UNTIL, resume_at: UNTIL })}
  from request_rows q join locked l on l.run_id = q.run_id and l.unit = q.unit where ${HOLDS} returning q.i`;
const LOCKED_UNITS = `locked as (
    select u.run_id, u.unit from units u join request_rows q on ${HOLDS}
    order by u.run_id, u.unit for no key update of u)`;

// With a pause, the unit becomes due after the pause, and the sweeper sends its job.
const RELEASE = `
  update units u
  set ${assignments('units', {
    status: "'due'",
    nudges: 'u.nudges + 1',
    shared_job: 'null',
    lease_until: 'null',
    left_at: 'now()',
    held: '$1',
    resume_at: "now() + $2::float8 * interval '1 ms'",
  })}
  from request_rows q where ${HOLDS}
  returning ${nudgeColumns('u')}`;

/** Units in Postgres: the operations of a worker, and those of the sweeper. */
export class PostgresUnits implements Units {
  constructor(
    private readonly database: Database,
    private readonly lane: WriteLane,
  ) {}

  claim(request: ClaimRequest): Promise<ClaimResult> {
    return this.lane.write(claimWrite, request);
  }

  commit(request: CommitRequest): Promise<CommitResult> {
    return this.lane.write(commitWrite, request);
  }

  renew(leases: Lease[], leaseMs: number): Promise<Lease[]> {
    const statement = new WithClause(leaseMs).rows(LEASES, numberLeases(leases), LOCKED_UNITS);
    return lostAfter(this.database, leases, statement.statement(RENEW_UNITS));
  }

  async release(lease: Lease, pauseMs = 0): Promise<Nudge[]> {
    const isHeld = pauseMs > 0;
    const statement = new WithClause(isHeld, isHeld ? pauseMs : LOOK_AGAIN_MS).rows(
      LEASES,
      numberLeases([lease]),
    );
    const { text, params } = statement.statement(RELEASE);
    const rows = await this.database.rows<UnitNudgeRow>(text, params);
    return isHeld ? [] : rows.map(rowNudge);
  }

  sweep(limit: number, cases?: readonly string[]): Promise<SweepCandidate[]> {
    return sweep(this.database, limit, cases);
  }

  activity(): Promise<Activity> {
    return activity(this.database);
  }

  allDue(after: string | null, limit: number): ReturnType<Units['allDue']> {
    return allDue(this.database, after, limit);
  }

  renudge(candidates: SweepCandidate[]): Promise<Nudge[]> {
    return renudge(this.database, candidates);
  }

  postpone(candidates: SweepCandidate[], delayMs: number): Promise<void> {
    return postpone(this.database, candidates, delayMs);
  }
}

export const numberLeases = <L extends object>(leases: readonly L[]): (L & { i: number })[] =>
  leases.map((lease, i) => ({ i, ...lease }));

/** Extends leases with a statement that returns the numbers of the extended leases. Returns the lost leases. */
export async function lostAfter<L extends object>(
  database: Database,
  leases: L[],
  { text, params }: Statement,
): Promise<L[]> {
  if (leases.length === 0) return [];
  const kept = await database.rows<{ i: number }>(text, params);
  const alive = new Set(kept.map((row) => row.i));
  return leases.filter((_lease, i) => !alive.has(i));
}
