import {
  toStored,
  type JsonObject,
  type PinnedServer,
  type PinnedTool,
  type ToolPins,
} from '@casefile/contracts';
import type { ToolEntry, ToolServer } from '../generated/admin/client.js';
import type { PrismaClient } from './admin-client.js';
import type { Administration } from './administration.js';

/**
 * Lists tool servers and approves their tools, for reviewers. A process that connects to a server uses
 * `tool-pins.ts`.
 */
export function toolApprovals(administer: Administration): Pick<ToolPins, 'servers' | 'approve'> {
  return {
    servers: () =>
      administer(async (client) => {
        const servers = await client.toolServer.findMany({ orderBy: { name: 'asc' } });
        const entries = await client.toolEntry.findMany({ orderBy: [{ server: 'asc' }, { tool: 'asc' }] });
        return servers.map((server) => pinnedServer(server, entries));
      }),
    approve: (...given) => administer((client) => approve(client, ...toStored(given))),
  };
}

function approve(client: PrismaClient, ...[server, tool, hash, by]: Parameters<ToolPins['approve']>) {
  return client.$transaction(async (tx) => {
    const isAsSeen = { server, tool, seenHash: hash, gone: false };
    const entry = await tx.toolEntry.findFirst({ where: isAsSeen });
    const [{ now } = { now: null }] = await tx.$queryRaw<{ now: Date }[]>`select now()`;
    if (entry === null || now === null) return null;
    const approval = {
      approvedHash: hash,
      approvedEntry: entry.seenEntry as JsonObject,
      approvedAt: now,
      approvedBy: by,
    };
    // The server may have listed a changed entry since it was read. An equal hash means that it is unchanged.
    const { count } = await tx.toolEntry.updateMany({ where: isAsSeen, data: approval });
    if (count === 0) return null;
    await tx.$executeRaw`
      insert into events (type, data) values ('operator.approved-tool',
        json_build_object('server', ${server}::text, 'tool', ${tool}::text, 'hash', ${hash}::text, 'by', ${by}::text))`;
    return pinnedTool({ ...entry, ...approval });
  });
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
