import { toStored, type ListedTool, type ToolPins, type ToolUse } from '@casefile/contracts';
import type { Queryable } from '../database.js';
import { recordOf } from '../rows.js';

// A row is written only if it changed, because servers are checked every few seconds.
const NOTE_SERVER = `
  insert into tool_servers as s (name, state, why) values ($1, $2, $3)
  on conflict (name) do update set state = $2, why = $3, seen_at = now(),
    changed_at = case when s.state = $2 then s.changed_at else now() end`;

const NOTE_TOOLS = `
  with listed as (
    select * from json_to_recordset($2::json) as l (tool text, hash text, entry json)),
  gone as (
    update tool_entries e set gone = true
    where e.server = $1 and not e.gone and not exists (select from listed l where l.tool = e.tool))
  insert into tool_entries as e (server, tool, seen_hash, seen_entry)
  select $1, l.tool, l.hash, l.entry from listed l
  on conflict (server, tool) do update
    set seen_hash = excluded.seen_hash, seen_entry = excluded.seen_entry, seen_at = now(), gone = false
    where e.seen_hash <> excluded.seen_hash or e.gone`;

const APPROVED =
  'select tool, approved_hash as hash from tool_entries where server = $1 and approved_hash is not null';

/**
 * Number of newest calls that are counted, over all tools. Ids grow with time, so the newest calls are those
 * with the highest ids.
 */
const NEWEST_CALLS = 5_000;
const USE = `
  with newest as (select tool, state, reason_code, message, settled_at from tool_calls order by id desc limit ${NEWEST_CALLS}),
  mine as (select * from newest where tool = any($1) and state in ('succeeded', 'failed')),
  last_failed as (
    select distinct on (tool) tool, reason_code, message, settled_at from mine where state = 'failed'
    order by tool, settled_at desc)
  select m.tool, count(*)::int as calls, count(*) filter (where m.state = 'failed')::int as failed,
    max(m.settled_at) as last_at, f.reason_code, coalesce(f.message, '') as message, f.settled_at as at
  from mine m left join last_failed f on f.tool = m.tool
  group by m.tool, f.reason_code, f.message, f.settled_at order by m.tool`;

/**
 * Records the state of tool servers and reads approvals. For the reviewers' side see
 * `admin/tool-approvals.ts`.
 */
export function postgresToolPins(database: Queryable): Omit<ToolPins, 'servers' | 'approve'> {
  return {
    approved: async (server) => {
      const rows = await database.rows<{ tool: string; hash: string }>(APPROVED, [server]);
      return new Map(rows.map(({ tool, hash }) => [tool, hash]));
    },
    noteServer: async (server, health, listed) => {
      await database.rows(NOTE_SERVER, [
        server,
        health.state,
        health.state === 'down' ? toStored(health.why) : null,
      ]);
      if (listed !== null) await database.rows(NOTE_TOOLS, [server, JSON.stringify(once(listed))]);
    },
    use: async (names) =>
      (await database.rows<{ reason_code: string | null }>(USE, [names])).map((row) => ({
        ...usedOf(row),
        lastFailure: row.reason_code === null ? null : failureOf(row),
      })),
  };
}

// A tool that is listed twice is never offered. Only its first entry is stored, because the table has one row
// per name.
function once(listed: readonly ListedTool[]): ListedTool[] {
  const byTool = new Map(listed.map((one) => [one.tool, one]));
  return [...byTool.values()].map((one) => toStored(one));
}

const usedOf = recordOf<Omit<ToolUse, 'lastFailure'>>()(['tool', 'calls', 'failed', 'lastAt']);
const failureOf = recordOf<NonNullable<ToolUse['lastFailure']>>()(['reasonCode', 'message', 'at']);
