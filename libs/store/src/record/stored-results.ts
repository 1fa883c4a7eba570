import type { StoredResults } from '@casefile/contracts';
import type { Queryable } from '../database.js';
import { isUuid } from '../row-set.js';

/** Long results of tools, in Postgres. */
export function postgresStoredResults(database: Queryable): StoredResults {
  return {
    keep: async ({ toolCallId, runId, text, sha256 }) => {
      await database.rows(
        `insert into tool_results (tool_call_id, run_id, sha256, body) values ($1, $2, $3, $4)
         on conflict (tool_call_id) do update set sha256 = excluded.sha256, body = excluded.body`,
        [toolCallId, runId, sha256, text],
      );
    },
    read: async (runId, id) => {
      if (!isUuid(id)) return null;
      const rows = await database.rows<{ body: string }>(
        'select body from tool_results where tool_call_id = $1 and run_id = $2',
        [id, runId],
      );
      return rows[0]?.body ?? null;
    },
  };
}
