import {
  entryChanges,
  type InstalledToolServer,
  type JsonObject,
  type PinnedServer,
  type PinnedTool,
  type ServerTool,
  type ToolServer,
  type ToolServerList,
  type ToolUse,
} from '@casefile/contracts';
import { wireName } from '@casefile/runtime';
import type { Handler } from '../http/route.js';

export const listToolsInput = {};

/** Servers of tools: how they do, what they list, what of it is approved, and how their tools are used. S2-42, S2-46. */
export const listTools: Handler<typeof listToolsInput, ToolServerList> = async ({ store, toolServers }) => {
  const servers = toolServers();
  const names = servers.flatMap(({ name, allow }) => allow.map((tool) => wireName(name, tool)));
  const [pinned, use] = await Promise.all([
    store.toolPins.servers(),
    names.length === 0 ? [] : store.toolPins.use(names),
  ]);
  return {
    servers: servers.map((one) =>
      serverOf(
        one,
        pinned.find(({ server }) => server === one.name),
        use,
      ),
    ),
  };
};

function serverOf(
  server: InstalledToolServer,
  pinned: PinnedServer | undefined,
  use: readonly ToolUse[],
): ToolServer {
  const {
    health = { state: 'connecting' as const },
    changedAt = null,
    seenAt = null,
    tools = [],
  } = pinned ?? {};
  return {
    server: server.name,
    state: health.state,
    why: health.state === 'down' ? health.why : null,
    changedAt,
    seenAt,
    kinds: server.kinds,
    tools: server.allow.map((tool) => {
      const name = wireName(server.name, tool);
      const found = tools.find((one) => one.tool === tool);
      return {
        tool,
        name,
        required: server.required.includes(tool),
        ...standing(found, server.pins[tool]),
        ...figures(use.find((one) => one.tool === name)),
      };
    }),
  };
}

type Standing = Pick<ServerTool, 'state' | 'description' | 'hash' | 'approvedBy' | 'approvedAt' | 'changes'>;

function standing(found: PinnedTool | undefined, pin: string | undefined): Standing {
  if (found === undefined)
    return { state: 'unlisted', description: null, hash: null, ...nobody(pin), changes: [] };
  const { seen, approved, gone } = found;
  const byPin = pin === seen.hash;
  const byPerson = approved?.hash === seen.hash;
  const state = gone
    ? 'unlisted'
    : byPin || byPerson
      ? 'approved'
      : approved === null && pin === undefined
        ? 'new'
        : 'changed';
  const isOpen = state === 'new' || state === 'changed';
  return {
    state,
    description: descriptionIn(seen.entry),
    hash: seen.hash,
    ...(approved === null || byPin ? nobody(pin) : { approvedBy: approved.by, approvedAt: approved.at }),
    changes: isOpen ? entryChanges(approved?.entry ?? {}, seen.entry) : [],
  };
}

const nobody = (pin: string | undefined) => ({
  approvedBy: pin === undefined ? null : 'configuration',
  approvedAt: null,
});

function descriptionIn({ description }: JsonObject): string | null {
  return typeof description === 'string' ? description : null;
}

function figures(use: ToolUse | undefined): Pick<ServerTool, 'calls' | 'failed' | 'lastAt' | 'lastFailure'> {
  return {
    calls: use?.calls ?? 0,
    failed: use?.failed ?? 0,
    lastAt: use?.lastAt ?? null,
    lastFailure: use?.lastFailure ?? null,
  };
}
