import {
  toStored,
  type JsonObject,
  type ListedTool,
  type PinnedServer,
  type PinnedTool,
  type ToolPins,
  type ToolUse,
} from '@casefile/contracts';
import type { Database } from '../database.js';
import type { ToolEntry, ToolServer } from '../generated/admin/client.js';
import { recordOf } from '../rows.js';
import type { Administration, AdminTransaction } from './administration.js';

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

/** Tool servers, their tools and the approvals of reviewers, by the Prisma Client. Calls are read by a statement. */
export class PrismaToolPins implements ToolPins {
  constructor(
    private readonly administer: Administration,
    private readonly database: Database,
  ) {}

  approved(server: string): Promise<ReadonlyMap<string, string>> {
    return this.administer(async (client) => {
      const where = { server, approvedHash: { not: null } };
      const entries = await client.toolEntry.findMany({ where, select: { tool: true, approvedHash: true } });
      return new Map(entries.map(({ tool, approvedHash }) => [tool, approvedHash ?? '']));
    });
  }

  noteServer(...args: Parameters<ToolPins['noteServer']>): Promise<void> {
    return this.administer((client) => client.$transaction((tx) => noteServer(tx, ...toStored(args))));
  }

  servers(): Promise<PinnedServer[]> {
    return this.administer(async (client) => {
      const servers = await client.toolServer.findMany({ orderBy: { name: 'asc' } });
      const entries = await client.toolEntry.findMany({ orderBy: [{ server: 'asc' }, { tool: 'asc' }] });
      return servers.map((server) => pinnedServer(server, entries));
    });
  }

  approve(...args: Parameters<ToolPins['approve']>): Promise<PinnedTool | null> {
    return this.administer((client) => client.$transaction((tx) => approve(tx, ...toStored(args))));
  }

  async use(names: readonly string[]): Promise<ToolUse[]> {
    return (await this.database.rows<{ reason_code: string | null }>(USE, [names])).map((row) => ({
      ...usedOf(row),
      lastFailure: row.reason_code === null ? null : failureOf(row),
    }));
  }
}

async function noteServer(
  tx: AdminTransaction,
  ...[name, health, listed]: Parameters<ToolPins['noteServer']>
): Promise<void> {
  const { state } = health;
  const why = health.state === 'down' ? health.why : null;
  const seenAt = new Date();
  await tx.toolServer.createMany({ data: { name, state, why }, skipDuplicates: true });
  await tx.toolServer.updateMany({
    where: { name, state: { not: state } },
    data: { state, changedAt: seenAt },
  });
  await tx.toolServer.update({ where: { name }, data: { why, seenAt } });
  if (listed !== null) await noteTools(tx, name, listed, seenAt);
}

// A row is written only if it changed, because servers are checked every few seconds.
async function noteTools(
  tx: AdminTransaction,
  server: string,
  listed: readonly ListedTool[],
  seenAt: Date,
): Promise<void> {
  // A tool that is listed twice is never offered. Its last entry is stored, because the table has one row per name.
  const entries = new Map(listed.map((one) => [one.tool, one]));
  const missing = { server, gone: false, tool: { notIn: [...entries.keys()] } };
  await tx.toolEntry.updateMany({ where: missing, data: { gone: true } });
  const known = new Map((await tx.toolEntry.findMany({ where: { server } })).map((one) => [one.tool, one]));
  for (const { tool, hash: seenHash, entry: seenEntry } of entries.values()) {
    const before = known.get(tool);
    if (before?.seenHash === seenHash && !before.gone) continue;
    const seen = { seenHash, seenEntry, seenAt, gone: false };
    const where = { server_tool: { server, tool } };
    await tx.toolEntry.upsert({ where, create: { server, tool, ...seen }, update: seen });
  }
}

async function approve(
  tx: AdminTransaction,
  ...[server, tool, hash, by]: Parameters<ToolPins['approve']>
): Promise<PinnedTool | null> {
  const isAsSeen = { server, tool, seenHash: hash, gone: false };
  const entry = await tx.toolEntry.findFirst({ where: isAsSeen });
  if (entry === null) return null;
  const approval = {
    approvedHash: hash,
    approvedEntry: entry.seenEntry as JsonObject,
    approvedAt: new Date(),
    approvedBy: by,
  };
  // The server may have listed a changed entry since it was read. An equal hash means that it is unchanged.
  const { count } = await tx.toolEntry.updateMany({ where: isAsSeen, data: approval });
  if (count === 0) return null;
  await tx.$executeRaw`
    insert into events (type, data) values ('operator.approved-tool',
      json_build_object('server', ${server}::text, 'tool', ${tool}::text, 'hash', ${hash}::text, 'by', ${by}::text))`;
  return pinnedTool({ ...entry, ...approval });
}

function pinnedServer(
  { name, state, why, changedAt, seenAt }: ToolServer,
  entries: ToolEntry[],
): PinnedServer {
  return {
    server: name,
    health:
      state === 'down'
        ? { state, why: why ?? '' }
        : { state: state as Exclude<PinnedServer['health']['state'], 'down'> },
    changedAt: changedAt.toISOString(),
    seenAt: seenAt.toISOString(),
    tools: entries.filter(({ server }) => server === name).map(pinnedTool),
  };
}

function pinnedTool(entry: ToolEntry): PinnedTool {
  const { tool, gone, seenHash, seenEntry, seenAt } = entry;
  const { approvedHash, approvedEntry, approvedAt, approvedBy } = entry;
  return {
    tool,
    gone,
    seen: { hash: seenHash, entry: seenEntry as JsonObject, at: seenAt.toISOString() },
    approved:
      approvedHash === null
        ? null
        : {
            hash: approvedHash,
            entry: approvedEntry as JsonObject,
            at: approvedAt?.toISOString() ?? '',
            by: approvedBy ?? '',
          },
  };
}

const usedOf = recordOf<Omit<ToolUse, 'lastFailure'>>()(['tool', 'calls', 'failed', 'lastAt']);
const failureOf = recordOf<NonNullable<ToolUse['lastFailure']>>()(['reasonCode', 'message', 'at']);
