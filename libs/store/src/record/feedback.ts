import { feedbackSchema, storableJson, type FeedbackBook } from '@casefile/contracts';
import type { Database } from '../database.js';
import { isUuid } from '../row-set.js';
import { recordBySchema } from '../rows.js';

const feedbackOf = recordBySchema(feedbackSchema);

const GIVE = `
  with given as (
    insert into feedback (id, case_id, run_id, agrees, outcome, "by", note, at)
    values ($1, $2, $3, $4, $5::json, $6, $7, $8) on conflict (id) do nothing returning *)
  insert into events (type, case_id, run_id, data)
  select 'feedback.given', case_id, run_id, json_build_object('agrees', agrees, 'outcome', outcome, 'by', "by") from given`;

/** What people say of verdicts, in Postgres. */
export function postgresFeedback(database: Database): FeedbackBook {
  return {
    give: async ({ id, caseId, runId, agrees, outcome, by, note, at }) =>
      void (await database.rows(GIVE, [id, caseId, runId, agrees, storableJson(outcome), by, note, at])),
    of: async (caseId) => {
      if (!isUuid(caseId)) return [];
      const rows = await database.rows(
        'select * from feedback where case_id = $1 order by at desc, created_at desc, id desc',
        [caseId],
      );
      return rows.map(feedbackOf);
    },
  };
}
