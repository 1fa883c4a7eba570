import {
  approvedToolsSchema,
  approveToolsSchema,
  CasefileError,
  conditionListSchema,
  configurationSchema,
  entryChanges,
  metaSchema,
  pipelineViewSchema,
  queueListSchema,
  toolServerListSchema,
  triedProviderSchema,
  z,
  type InstalledToolServer,
  type JsonObject,
  type PinnedServer,
  type PinnedTool,
  type ServerTool,
  type ToolServer,
  type ToolUse,
} from '@casefile/contracts';
import { outageError, wireName } from '@casefile/runtime';
import type { ConsolePorts } from '../console-ports.js';
import { route } from '../http/route.js';

function shownToolServer(
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
      const pinnedTool = tools.find((one) => one.tool === tool);
      return {
        tool,
        name,
        required: server.required.includes(tool),
        ...standing(pinnedTool, server.pins[tool]),
        ...figures(use.find((one) => one.tool === name)),
      };
    }),
  };
}

type Standing = Pick<ServerTool, 'state' | 'description' | 'hash' | 'approvedBy' | 'approvedAt' | 'changes'>;

function standing(pinnedTool: PinnedTool | undefined, pin: string | undefined): Standing {
  if (pinnedTool === undefined)
    return { state: 'unlisted', description: null, hash: null, ...unapprovedPin(pin), changes: [] };
  const { seen, approved, gone } = pinnedTool;
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
    ...(approved === null || byPin
      ? unapprovedPin(pin)
      : { approvedBy: approved.by, approvedAt: approved.at }),
    changes: isOpen ? entryChanges(approved?.entry ?? {}, seen.entry) : [],
  };
}

const unapprovedPin = (pin: string | undefined) => ({
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

/** Returns the MCP servers of the installation with their tools. */
export async function shownToolServers({
  store,
  toolServers,
}: Pick<ConsolePorts, 'store' | 'toolServers'>): Promise<ToolServer[]> {
  const servers = toolServers();
  const names = servers.flatMap(({ name, allow }) => allow.map((tool) => wireName(name, tool)));
  const [pinned, use] = await Promise.all([
    store.toolPins.servers(),
    names.length === 0 ? [] : store.toolPins.use(names),
  ]);
  return servers.map((one) =>
    shownToolServer(
      one,
      pinned.find(({ server }) => server === one.name),
      use,
    ),
  );
}

/** Routes to watch the pipeline, and to act on its providers and tools. */
export const operationRoutes = [
  route({
    method: 'get',
    path: '/pipeline',
    operationId: 'getPipeline',
    right: 'viewer',
    tag: 'pipeline',
    summary: 'State of the pipeline',
    input: {},
    answer:
      'stages and tools with depth, rate, oldest age and failures per lane; models of 24 hours, verdicts of the last hour, circuits, budgets, dead letters and backlog. At most one second old.',
    response: pipelineViewSchema,
    handler: ({ pipeline }) => pipeline(),
  }),
  route({
    method: 'get',
    path: '/configuration',
    operationId: 'getConfiguration',
    right: 'operator',
    tag: 'pipeline',
    summary: 'Settings in force in the console, with value and source',
    input: {},
    answer: '{ configuration: [{ name, value, source, file }] }; secrets are masked',
    response: configurationSchema,
    handler: async ({ configuration }) => ({ configuration: await configuration(), nextCursor: null }),
  }),
  route({
    method: 'get',
    path: '/conditions',
    operationId: 'listConditions',
    right: 'viewer',
    tag: 'pipeline',
    summary: 'Current problems',
    input: {},
    answer: '{ conditions }: each with id, severity, since, effect and action; errors first',
    response: conditionListSchema,
    handler: async ({ conditions }) => ({
      conditions: await conditions(),
    }),
  }),
  route({
    method: 'post',
    path: '/providers/{provider}/try',
    operationId: 'tryProvider',
    right: 'operator',
    tag: 'pipeline',
    summary: 'Let the next call test a provider whose circuit is open',
    input: { params: z.object({ provider: z.string().min(1).max(64) }) },
    problems: [403, 404],
    answer: '{ provider, state }; recorded in the event log as operator.tried-provider',
    response: triedProviderSchema,
    handler: async ({ store }, { params }) => {
      const state = await store.providers.tryNow(params.provider);
      if (state !== null) return { provider: state.provider, state: state.state };
      const message = 'no call to a provider of this name has failed, so there is nothing to try';
      throw new CasefileError('not_found', message);
    },
  }),
  route({
    method: 'get',
    path: '/tools',
    operationId: 'listTools',
    right: 'reviewer',
    tag: 'tools',
    summary: 'MCP servers and the tools that may be called',
    input: {},
    answer: '{ servers }: each with its health, and its tools with state, changes and call figures',
    response: toolServerListSchema,
    handler: async (ports) => ({ servers: await shownToolServers(ports) }),
  }),
  // Approves entries of a server's tool list as they were shown. Each approval is logged as an event.
  // @throws CasefileError `not_found` if the installation has no such server.
  route({
    method: 'post',
    path: '/tools/{server}/approve',
    operationId: 'approveTools',
    right: 'operator',
    tag: 'tools',
    summary: 'Approve entries of a server\'s tool list as they were shown: { "tools": [{ "tool", "hash" }] }',
    input: {
      params: z.object({ server: z.string().min(1).max(100) }),
      body: approveToolsSchema,
    },
    problems: [403, 404],
    answer: '{ approved, refused }; each approval is recorded in the event log as operator.approved-tool',
    response: approvedToolsSchema,
    handler: async ({ store, toolServers }, { params, body }) => {
      if (!toolServers().some(({ name }) => name === params.server))
        throw new CasefileError('not_found', 'the configuration has no MCP server of this name');
      const { tools, by = 'console' } = body;
      const approved: string[] = [];
      const refused: string[] = [];
      for (const { tool, hash } of tools) {
        const done = await store.toolPins.approve(params.server, tool, hash, by);
        (done === null ? refused : approved).push(tool);
      }
      return { approved, refused };
    },
  }),
  route({
    method: 'get',
    path: '/meta',
    operationId: 'getMeta',
    right: 'viewer',
    tag: 'pipeline',
    summary: 'Version and capabilities of this installation',
    input: {},
    answer: '{ version, provider, model, isSimulator, startedAt, capabilities }',
    response: metaSchema,
    handler: async ({ meta }) => meta(),
  }),
  route({
    method: 'get',
    path: '/queues',
    operationId: 'listQueues',
    right: 'viewer',
    tag: 'pipeline',
    summary: 'Depth of the queues',
    input: {},
    answer: '{ items }: waiting, active, delayed and failed jobs per queue, and the age of the oldest job',
    response: queueListSchema,
    problems: [503],
    handler: async ({ queues }) => {
      const { depths, outage } = await queues();
      if (outage !== null) throw outageError(outage);
      return { items: [...depths] };
    },
  }),
];
