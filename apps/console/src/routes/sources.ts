import {
  addDataSourceSchema,
  CasefileError,
  dataSourceActSchema,
  dataSourceListSchema,
  InvalidInput,
  shownDataSourceSchema,
  sleep,
  z,
  type AddedDataSource,
  type DataSourceEntry,
  type JsonObject,
  type PinnedServer,
  type ShownDataSource,
} from '@casefile/contracts';
import { placeSource, readSourceFile, shippedSources, wireName } from '@casefile/runtime';
import type { ConsolePorts } from '../console-ports.js';
import { actOf } from '../http/act-of.js';
import { route } from '../http/route.js';

type AddSource = z.infer<typeof addDataSourceSchema>;

/** Time in which the evidence collector reports a probe, in milliseconds, and interval of looking for it. */
const PROBE_WITHIN_MS = 30_000;
const LOOK_MS = 200;

/** Returns the name and the entry of a source to add. @throws InvalidInput that names each wrong field. */
function entryOf(ask: AddSource, kinds: readonly string[]): { name: string; entry: DataSourceEntry } {
  const source = ask.file === undefined ? shippedSource(ask.source ?? '') : readSourceFile(ask.file);
  const { name = source.name, url = source.url, secret = null, set = {} } = ask;
  const scheme = ask.scheme ?? source.auth[0] ?? 'bearer';
  if (url === undefined)
    throw wrong('url', `expected the address of ${source.title}, such as http://${name}:9090`);
  const wanted = ask.kinds ?? source.kinds;
  const unknown = wanted.filter((kind) => !kinds.includes(kind));
  if (unknown.length > 0)
    throw wrong('kinds', `expected one of ${kinds.join(', ')}, not ${unknown.join(', ')}`);
  const definition = JSON.parse(JSON.stringify(source)) as JsonObject;
  const entry = { definition, url, secret, scheme, set, kinds: wanted };
  placeSource(name, entry);
  return { name, entry };
}

function shippedSource(name: string) {
  const shipped = shippedSources();
  const source = shipped.find((one) => one.name === name);
  if (source !== undefined) return source;
  const names = shipped.map((one) => one.name).join(', ');
  throw wrong('source', `expected one of ${names}; add another one by its file`);
}

const wrong = (path: string, message: string) => new InvalidInput([{ path, message }], 'data source');

async function listed({ store }: Pick<ConsolePorts, 'store'>): Promise<ShownDataSource[]> {
  const [sources, servers] = await Promise.all([store.dataSources.list(), store.toolPins.servers()]);
  return sources.map((one) =>
    shown(
      one,
      servers.find(({ server }) => server === one.name),
    ),
  );
}

function shown(
  { name, entry, changedBy, changedAt }: AddedDataSource,
  pinned: PinnedServer | undefined,
): ShownDataSource {
  const { definition, url, secret, kinds } = entry;
  // What was noted before the source was added is about another one of this name.
  const probe = pinned !== undefined && pinned.seenAt >= changedAt ? pinned : undefined;
  const health = probe?.health ?? { state: 'connecting' as const };
  return {
    name,
    source: String(definition['name']),
    title: String(definition['title']),
    address: `${new URL(url).protocol}//${new URL(url).host}`,
    secret,
    kinds,
    tools: Object.keys(definition['requests'] ?? {}).map((request) => wireName(name, request)),
    state: health.state,
    why: health.state === 'down' ? health.why : null,
    probedAt: probe?.seenAt ?? null,
    changedBy,
    changedAt,
  };
}

async function requireSource(ports: Pick<ConsolePorts, 'store'>, name: string): Promise<ShownDataSource> {
  const source = (await listed(ports)).find((one) => one.name === name);
  if (source === undefined) throw new CasefileError('not_found', 'there is no data source of this name');
  return source;
}

const nameParams = { params: z.object({ name: z.string().min(1).max(100) }) };

/** Data sources: services that cases may ask, each by a file of requests. */
export const sourceRoutes = [
  route({
    method: 'get',
    path: '/sources',
    operationId: 'listSources',
    right: 'reviewer',
    tag: 'sources',
    summary: 'Data sources with the results of their last probes, and the shipped sources that can be added',
    input: {},
    answer: '{ sources, shipped }: of each source its address, tools, kinds of case and state',
    response: dataSourceListSchema,
    handler: async (ports) => ({
      sources: await listed(ports),
      shipped: shippedSources().map(({ name: source, title, about, documentation, tested = null }) => ({
        source,
        title,
        about,
        documentation,
        tested,
      })),
    }),
  }),
  route({
    method: 'post',
    path: '/sources',
    operationId: 'addSource',
    right: 'admin',
    tag: 'sources',
    summary: 'Add a data source: { "source": "prometheus", "url": "http://prometheus:9090" }',
    input: { body: addDataSourceSchema },
    problems: [409],
    answer: 'The source. New cases can use it within a few seconds. 409: there is one of this name',
    status: 201,
    response: shownDataSourceSchema,
    handler: async (ports, { body }) => {
      const { name, entry } = entryOf(
        body,
        ports.playbooks.map((one) => one.name),
      );
      if (ports.mcpServers.includes(name))
        throw new CasefileError(
          'conflict',
          `there is an MCP server ${name} in the configuration: choose a name`,
        );
      await ports.store.dataSources.add({ name, entry }, actOf(ports, body));
      return requireSource(ports, name);
    },
  }),
  route({
    method: 'post',
    path: '/sources/{name}/remove',
    operationId: 'removeSource',
    right: 'admin',
    tag: 'sources',
    summary: 'Remove a data source',
    input: { ...nameParams, body: dataSourceActSchema },
    problems: [404],
    answer: '{ removed }: its name. What it answered stays on the record',
    response: z.object({ removed: z.string() }),
    handler: async (ports, { params: { name }, body }) => {
      if (await ports.store.dataSources.remove(name, actOf(ports, body))) return { removed: name };
      throw new CasefileError('not_found', 'there is no data source of this name');
    },
  }),
  // The evidence collector probes, because only it has the secrets.
  route({
    method: 'post',
    path: '/sources/{name}/test',
    operationId: 'testSource',
    right: 'operator',
    tag: 'sources',
    summary: 'Probe a data source now',
    input: { ...nameParams, body: dataSourceActSchema },
    problems: [404, 503],
    answer: 'The source with the result. 503: the evidence collector did not answer within 30 s',
    response: shownDataSourceSchema,
    handler: async (ports, { params: { name }, body: { by = 'console' } }) => {
      const before = await requireSource(ports, name);
      await ports.store.record.noteOperatorAction('tested-source', { source: name, by });
      await ports.store.dataSources.requestTest(name);
      for (const until = ports.now() + PROBE_WITHIN_MS; ports.now() < until; await sleep(LOOK_MS)) {
        const now = await requireSource(ports, name);
        if (now.probedAt !== before.probedAt) return now;
      }
      throw new CasefileError(
        'not_ready',
        'the evidence collector did not probe it within 30 s: is it running?',
        {
          retryable: true,
        },
      );
    },
  }),
];
