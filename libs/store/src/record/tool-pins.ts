import {
  stored,
  type ListedTool,
  type PinnedServer,
  type PinnedTool,
  type SourceHealth,
  type ToolPins,
  type ToolUse,
} from '@casefile/contracts';
import type { Queryable } from '../database.js';
import { iso, recordOf } from '../rows.js';

type ToolRow = PinnedTool & { server: string };
type ServerRow = { server: string; state: SourceHealth['state']; why: string | null };

// A row is written only when it says something new: a server is looked at every few seconds.
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

const TOOL = `server, tool, gone, json_build_object('hash', seen_hash, 'entry', seen_entry, 'at', seen_at) as seen,
  case when approved_hash is not null then json_build_object('hash', approved_hash, 'entry', approved_entry,
    'at', approved_at, 'by', approved_by) end as approved`;
const TOOLS = `select ${TOOL} from tool_entries order by server, tool`;
const SERVERS = 'select name as server, state, why, changed_at, seen_at from tool_servers order by name';
const APPROVED =
  'select tool, approved_hash as hash from tool_entries where server = $1 and approved_hash is not null';

const APPROVE = `
  with written as (
    update tool_entries set approved_hash = seen_hash, approved_entry = seen_entry, approved_at = now(), approved_by = $4
    where server = $1 and tool = $2 and seen_hash = $3 and not gone returning *),
  noted as (
    insert into events (type, data)
    select 'operator.approved-tool', json_build_object('server', server, 'tool', tool, 'hash', seen_hash, 'by', $4::text)
    from written)
  select ${TOOL} from written`;

/** How far back uses are counted: of all tools together, for the calls are found by their ids, which grow with time. */
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

/** What servers of tools list and what of it is approved, in Postgres. */
export function postgresToolPins(database: Queryable): ToolPins {
  return {
    approved: async (server) => {
      const rows = await database.rows<{ tool: string; hash: string }>(APPROVED, [server]);
      return new Map(rows.map(({ tool, hash }) => [tool, hash]));
    },
    noteServer: async (server, health, listed) => {
      await database.rows(NOTE_SERVER, [
        server,
        health.state,
        health.state === 'down' ? stored(health.why) : null,
      ]);
      if (listed !== null) await database.rows(NOTE_TOOLS, [server, JSON.stringify(once(listed))]);
    },
    servers: async () => {
      const servers = await database.rows<ServerRow>(SERVERS);
      const tools = await database.rows<ToolRow>(TOOLS);
      return servers.map((row) => ({
        ...seenOf(row),
        health: row.state === 'down' ? { state: row.state, why: row.why ?? '' } : { state: row.state },
        tools: tools.filter(({ server }) => server === row.server).map(toolOf),
      }));
    },
    approve: async (server, tool, hash, by) => {
      const [row] = await database.rows<ToolRow>(APPROVE, [server, tool, hash, by]);
      return row === undefined ? null : toolOf(row);
    },
    use: async (names) =>
      (await database.rows<{ reason_code: string | null }>(USE, [names])).map((row) => ({
        ...usedOf(row),
        lastFailure: row.reason_code === null ? null : failureOf(row),
      })),
  };
}

// One that is listed twice is never offered, and the table has room for one.
function once(listed: readonly ListedTool[]): ListedTool[] {
  const byTool = new Map(listed.map((one) => [one.tool, one]));
  return [...byTool.values()].map((one) => stored(one));
}

const seenOf = recordOf<Pick<PinnedServer, 'server' | 'changedAt' | 'seenAt'>>()([
  'server',
  'changedAt',
  'seenAt',
]);

function toolOf({ tool, gone, seen, approved }: ToolRow): PinnedTool {
  return { tool, gone, seen: dated(seen), approved: approved === null ? null : dated(approved) };
}

const dated = <T extends { at: string }>(said: T): T => ({ ...said, at: iso(said.at) });

const usedOf = recordOf<Omit<ToolUse, 'lastFailure'>>()(['tool', 'calls', 'failed', 'lastAt']);
const failureOf = recordOf<NonNullable<ToolUse['lastFailure']>>()(['reasonCode', 'message', 'at']);
