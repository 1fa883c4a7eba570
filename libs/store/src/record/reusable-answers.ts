import type { ReusableAnswers, ReusedAnswer } from '@casefile/contracts';
import type { Database } from '../database.js';
import { isUuid } from '../row-set.js';
import { recordOf } from '../rows.js';

interface TakenRow {
  run_id: string;
  /** Whether the answer is decided by a model, complete and not expired. */
  answers: boolean | null;
  /** Whether its run is active and began recently. */
  is_active: boolean | null;
}

const answerOf = recordOf<ReusedAnswer>()(['runId', 'caseId', 'decidedAt', 'expiresAt']);

/** Maximum number of expired keys removed with each request. */
const SWEPT = 10;
/** Maximum time that other runs wait for a run's answer. */
const LONGEST = `interval '10 minutes'`;

const SWEEP = `delete from reusable_answers where key in (
  select key from reusable_answers where expires_at < now() and key <> $1 order by expires_at limit ${SWEPT} for update skip locked)`;
const TAKE = `
  insert into reusable_answers (key, run_id, expires_at) values ($1, $2, now() + $3::float8 * interval '1 ms')
  on conflict (key) do nothing returning run_id`;
// An unfinished run is `due`, whatever the state of its units.
const READ = `
  select a.run_id, r.case_id, r.decided_at, a.expires_at,
    a.expires_at > now() and r.status = 'decided' and not r.degraded
      and v.body ->> 'method' in ('llm', 'demonstration') as answers,
    a.expires_at > now() and r.status = 'due' and a.taken_at > now() - ${LONGEST} as is_active
  from reusable_answers a left join runs r on r.id = a.run_id
    left join artifacts v on v.run_id = a.run_id and v.artifact = 'verdict'
  where a.key = $1 for update of a`;
const TAKE_OVER = `
  update reusable_answers set run_id = $2, taken_at = now(), expires_at = now() + $3::float8 * interval '1 ms' where key = $1`;

/** Answers that runs reuse from each other, in Postgres. */
export function postgresReusableAnswers(database: Database): ReusableAnswers {
  return {
    take: async ({ key, runId, forMs }) => {
      if (!isUuid(runId)) return { kind: 'make' };
      return database.transaction(async (tx) => {
        await tx.rows(SWEEP, [key]);
        if ((await tx.rows(TAKE, [key, runId, forMs])).length > 0) return { kind: 'make' };
        const [row] = await tx.rows<TakenRow>(READ, [key]);
        if (row === undefined || row.run_id === runId) return { kind: 'make' };
        if (row.answers === true) return { kind: 'reuse', of: answerOf(row) };
        if (row.is_active === true) return { kind: 'wait' };
        await tx.rows(TAKE_OVER, [key, runId, forMs]);
        return { kind: 'make' };
      });
    },
  };
}
