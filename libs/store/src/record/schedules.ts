import { toStored, type FetchedFeed, type ScheduleState, type Schedules } from '@casefile/contracts';
import type { Database } from '../database.js';
import { iso, isoOrNull } from '../rows.js';

const STATES = 'select * from schedules order by kind, name';

// A leader that was replaced may still write: its state is older.
const SAVE = `
  insert into schedules as s (kind, name, timing, done_until, last_due_at, last_run_at, last_case_id, failing_since,
    problem, fetched)
  values ($1, $2, $3, $4::timestamptz, $5::timestamptz, $6::timestamptz, $7::uuid, $8::timestamptz, $9, $10::json)
  on conflict (kind, name) do update
  set timing = excluded.timing, done_until = excluded.done_until, last_due_at = excluded.last_due_at,
    last_run_at = excluded.last_run_at, last_case_id = excluded.last_case_id,
    failing_since = excluded.failing_since, problem = excluded.problem, fetched = excluded.fetched
  where s.done_until <= excluded.done_until`;

interface ScheduleRow {
  kind: ScheduleState['kind'];
  name: string;
  timing: string;
  done_until: Date;
  last_due_at: Date | null;
  last_run_at: Date | null;
  last_case_id: string | null;
  failing_since: Date | null;
  problem: string | null;
  fetched: FetchedFeed | null;
}

/** States of schedules in Postgres. */
export function postgresSchedules(database: Database): Schedules {
  return {
    states: async () => (await database.rows<ScheduleRow>(STATES)).map(stateIn),
    save: async (state) => {
      const { kind, name, timing, problem, fetched, doneUntil, ...rest } = toStored(state);
      const { lastDueAt, lastRunAt, lastCaseId, failingSince } = rest;
      const times = [doneUntil, lastDueAt, lastRunAt, lastCaseId, failingSince];
      const feed = fetched === null ? null : JSON.stringify(fetched);
      await database.rows(SAVE, [kind, name, timing, ...times, problem, feed]);
    },
  };
}

const stateIn = ({ kind, name, timing, problem, fetched, ...row }: ScheduleRow): ScheduleState => ({
  kind,
  name,
  timing,
  doneUntil: iso(row.done_until),
  lastDueAt: isoOrNull(row.last_due_at),
  lastRunAt: isoOrNull(row.last_run_at),
  lastCaseId: row.last_case_id,
  failingSince: isoOrNull(row.failing_since),
  problem,
  fetched,
});
