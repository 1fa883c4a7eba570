import type { ReusableAnswers, RunStatus } from '@casefile/contracts';
import type { Database } from '../database.js';
import { isUuid } from '../row-set.js';
import { iso } from '../rows.js';

interface TakenRow {
  run_id: string;
  case_id: string | null;
  status: RunStatus | null;
  is_whole: boolean | null;
  decided_at: Date | null;
  expires_at: Date;
  is_expired: boolean;
  is_recent: boolean;
}

/** Keys that are over, taken away with each question. */
const SWEPT = 10;
/** A run that has been at an answer for so long is not waited for any more. */
const LONGEST = `interval '10 minutes'`;

const SWEEP = `delete from reusable_answers where key in (
  select key from reusable_answers where expires_at < now() and key <> $1 order by expires_at limit ${SWEPT} for update skip locked)`;
const TAKE = `
  insert into reusable_answers (key, run_id, expires_at) values ($1, $2, now() + $3::float8 * interval '1 ms')
  on conflict (key) do nothing returning run_id`;
const READ = `
  select a.run_id, a.expires_at, a.expires_at <= now() as is_expired, a.taken_at > now() - ${LONGEST} as is_recent,
    r.case_id, r.status, r.decided_at, not r.degraded and v.body ->> 'method' in ('llm', 'demonstration') as is_whole
  from reusable_answers a left join runs r on r.id = a.run_id
    left join artifacts v on v.run_id = a.run_id and v.artifact = 'verdict'
  where a.key = $1 for update of a`;
const TAKE_OVER = `
  update reusable_answers set run_id = $2, taken_at = now(), expires_at = now() + $3::float8 * interval '1 ms' where key = $1`;

/** Answers that runs take over from one another, in Postgres. */
export function postgresReusableAnswers(database: Database): ReusableAnswers {
  return {
    take: async ({ key, runId, forMs }) => {
      if (!isUuid(runId)) return { kind: 'make' };
      return database.transaction(async (tx) => {
        await tx.rows(SWEEP, [key]);
        if ((await tx.rows(TAKE, [key, runId, forMs])).length > 0) return { kind: 'make' };
        const [row] = await tx.rows<TakenRow>(READ, [key]);
        if (row === undefined || row.run_id === runId) return { kind: 'make' };
        const { case_id: caseId, status, decided_at: decidedAt } = row;
        if (
          !row.is_expired &&
          status === 'decided' &&
          row.is_whole === true &&
          caseId !== null &&
          decidedAt !== null
        ) {
          const times = { decidedAt: iso(decidedAt), expiresAt: iso(row.expires_at) };
          return { kind: 'reuse', of: { runId: row.run_id, caseId, ...times } };
        }
        // While it is under way a run is `due`, whatever its units do.
        if (!row.is_expired && status === 'due' && row.is_recent) return { kind: 'wait' };
        await tx.rows(TAKE_OVER, [key, runId, forMs]);
        return { kind: 'make' };
      });
    },
  };
}
