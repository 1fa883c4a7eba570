import { dataSourceNameSchema, InvalidInput, parseInput, z, type FieldProblem } from '@casefile/contracts';
import { ARGUMENT_PLACE, argumentCheck, isPlain } from './arguments.js';
import { protocolOf, PROTOCOLS, type ProtocolName } from './protocols/index.js';
import type { AuthScheme, Protocol, RequestSpec, SourceLimits } from './protocols/protocol.js';

const requestName = z
  .string()
  .regex(/^[a-z](?:[a-z0-9-]{0,28}[a-z0-9])?$/, 'expected a name such as list-pods');

const commonFields = {
  name: dataSourceNameSchema,
  title: z.string().min(2).max(60),
  about: z.string().min(10).max(400),
  documentation: z.url().describe('Page of the maker that documents the requests.'),
  tested: z.enum(['server', 'documentation']).optional().describe('Shipped sources only.'),
  url: z.string().max(2_000).optional().describe('Address if the operator gives none.'),
  kinds: z.array(z.string().min(1).max(100)).min(1).describe('Kinds of case that may ask it.'),
  limits: z
    .strictObject({
      timeoutMs: z.int().min(100).max(120_000).default(10_000),
      bytes: z.int().min(1_000).max(52_428_800).default(8_388_608),
      rows: z.int().min(1).max(5_000).default(200),
      perSecond: z.number().min(0.01).max(100).default(5),
      concurrency: z.int().min(1).max(20).default(4),
    })
    .prefault({}),
  probe: z.strictObject({ request: requestName, arguments: z.record(z.string(), z.json()).default({}) }),
  timeline: z
    .array(requestName)
    .max(5)
    .default([])
    .describe('Requests that list deployments, alerts or changes. Kinds of case may send `start` and `end`.'),
  search: requestName
    .optional()
    .describe('Request that searches: kinds of case send it words, and read the pages that it finds.'),
};

/** A data source as its file declares it, without the fields of its protocol. */
export interface DataSource {
  protocol: ProtocolName;
  name: string;
  title: string;
  about: string;
  documentation: string;
  tested?: 'server' | 'documentation' | undefined;
  url?: string | undefined;
  kinds: string[];
  limits: SourceLimits;
  auth: AuthScheme[];
  probe: { request: string; arguments: Record<string, z.core.util.JSONType> };
  timeline: string[];
  search?: string | undefined;
  requests: Record<string, RequestSpec>;
}

const schemas = Object.entries(PROTOCOLS).map(([name, { source, request }]) =>
  z.strictObject({
    protocol: z.literal(name),
    ...commonFields,
    ...source,
    requests: z.record(requestName, request).refine((all) => {
      const count = Object.keys(all).length;
      return count >= 1 && count <= 20;
    }, 'expected 1 to 20 requests'),
  }),
);
const [first, ...others] = schemas;
const sourceSchema = z.preprocess(
  (value) => (typeof value === 'object' && value !== null ? { protocol: 'http', ...value } : value),
  z.discriminatedUnion('protocol', [first!, ...others], {
    error: `expected one of ${Object.keys(PROTOCOLS).join(', ')}`,
  }),
);

/** Reads the content of a source file. @throws InvalidInput that names each wrong field and what was expected. */
export function readDataSource(value: unknown): DataSource {
  const source = parseInput(sourceSchema, value, 'data source') as unknown as DataSource;
  const problems = [
    ...Object.entries(source.requests).flatMap(([name, request]) =>
      requestProblems(`requests.${name}`, request, protocolOf(source)),
    ),
    ...probeProblems(source),
    ...searchProblems(source),
    ...timelineProblems(source),
  ];
  if (problems.length > 0) throw new InvalidInput(problems, 'data source');
  return source;
}

function requestProblems(at: string, request: RequestSpec, { places }: Protocol): FieldProblem[] {
  const { arguments: specs } = request;
  const used = new Set<string>();
  const problems = places(request).flatMap(({ field, text, holds }) =>
    [...text.matchAll(ARGUMENT_PLACE)].flatMap(([place, name = '']): FieldProblem[] => {
      used.add(name);
      const problem = (message: string) => [{ path: `${at}.${field}`, message }];
      const spec = specs[name];
      if (spec === undefined) return problem(`expected an argument named ${name}`);
      if (holds === 'path' && spec.optional) return problem(`expected that ${name} is not optional`);
      return place === text || holds === 'bound' || isPlain(spec)
        ? []
        : problem(`expected {${name}} alone, or another type than text for ${name}`);
    }),
  );
  const unused = Object.keys(specs).filter((name) => !used.has(name));
  return [
    ...problems,
    ...unused.map((name) => ({
      path: `${at}.arguments.${name}`,
      message: `expected {${name}} in the request`,
    })),
    ...Object.entries(specs).flatMap(([name, spec]) => defaultProblems(`${at}.arguments.${name}`, spec)),
  ];
}

function defaultProblems(at: string, spec: RequestSpec['arguments'][string]): FieldProblem[] {
  if (spec.default === undefined) return [];
  const parsed = argumentCheck(spec).safeParse(spec.default);
  return parsed.success
    ? []
    : [{ path: `${at}.default`, message: parsed.error.issues[0]?.message ?? 'wrong' }];
}

function probeProblems({ probe, requests }: DataSource): FieldProblem[] {
  const request = requests[probe.request];
  if (request !== undefined) return [];
  return [{ path: 'probe.request', message: `expected one of ${Object.keys(requests).join(', ')}` }];
}

function timelineProblems({ timeline, requests }: DataSource): FieldProblem[] {
  return timeline
    .filter((name) => requests[name] === undefined)
    .map(() => ({ path: 'timeline', message: `expected names of ${Object.keys(requests).join(', ')}` }));
}

/** A kind of case sends the words alone to a search, and reads pages only from it. */
function searchProblems({ search, requests }: DataSource): FieldProblem[] {
  const request = search === undefined ? undefined : requests[search];
  if (search !== undefined && request === undefined)
    return [{ path: 'search', message: `expected one of ${Object.keys(requests).join(', ')}` }];
  const undeclared = Object.entries(requests).filter(
    ([name, { answer }]) => 'pages' in answer && name !== search,
  );
  const { answer, arguments: specs } = request ?? { answer: null, arguments: {} };
  const needed = Object.entries(specs).filter(
    ([argument, spec]) => argument !== 'query' && !spec.optional && spec.default === undefined,
  );
  const isUsable =
    answer === null || ('pages' in answer && specs['query']?.type === 'text' && needed.length === 0);
  return [
    ...undeclared.map(([name]) => ({
      path: `requests.${name}.answer`,
      message: `expected search: ${name}, because it finds pages`,
    })),
    ...(isUsable
      ? []
      : [
          {
            path: `requests.${search}`,
            message: 'expected an answer with `pages`, and one argument without a default: query, a text',
          },
        ]),
  ];
}
