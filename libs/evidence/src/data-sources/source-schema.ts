import {
  dataSourceNameSchema,
  InvalidInput,
  parseInput,
  SECRET_SCHEMES,
  z,
  type FieldProblem,
  type Json,
} from '@casefile/contracts';
import { argumentCheck, argumentSchema, isPlain } from './arguments.js';
import { readJsonPath } from './json-path.js';
import { readTextTemplate } from './text-template.js';

const path = z
  .string()
  .max(300)
  .refine((text) => readJsonPath(text) !== null, 'expected a path such as data.result[0].name, or $');
const paths = z.union([path, z.array(path).min(1).max(5)]);
const template = z
  .string()
  .max(1_000)
  .refine((text) => readTextTemplate(text) !== null, 'expected paths such as {metadata.name} between braces');

const timeField = z.strictObject({
  at: paths.describe('Paths to the time; the first that leads to a value is used.'),
  as: z.enum(['iso', 'seconds', 'milliseconds', 'nanoseconds']).default('iso'),
});

const unitField = z.union([
  template,
  z.strictObject({
    of: path.describe('Path to a name.'),
    endings: z
      .record(z.string().min(1).max(50), z.string().min(1).max(20))
      .describe('Unit by end of the name.'),
  }),
]);

/** Findings of a JSON answer: one line per row, or per point of a row. */
const rowsAnswer = z.strictObject({
  rows: path.describe('Path to a list, or to one object.'),
  points: z
    .strictObject({ path, most: z.int().min(2).max(500).default(60) })
    .optional()
    .describe('List within each row, such as the samples of a series. Its paths begin with `point`.'),
  time: timeField.optional(),
  subject: template.optional().describe('What the finding is about.'),
  value: paths.optional(),
  unit: unitField.optional(),
  text: template.optional(),
  newestFirst: z.boolean().default(false),
  notes: template.optional().describe('Warnings of the whole answer, such as that it is incomplete.'),
});

/** Pages that a search found. They are no findings: the page reader reads them. */
const pagesAnswer = z.strictObject({
  pages: path.describe('Path to the list of pages.'),
  url: path,
  title: path,
  text: path.describe('What the search shows of a page.'),
  published: path.optional(),
});

/** Findings of a text: one per line. */
const linesAnswer = z.strictObject({
  lines: z.enum(['first', 'last']).describe('Lines to keep of a long text.'),
});

/** The status of the answer, whatever it is, is the finding. */
const statusAnswer = z.strictObject({ status: z.literal(true) });

const answerSchema = z.union([rowsAnswer, linesAnswer, statusAnswer, pagesAnswer], {
  error: 'expected an answer with `rows`, `lines`, `status` or `pages`',
});
export type AnswerSpec = z.infer<typeof answerSchema>;
export type RowsAnswer = z.infer<typeof rowsAnswer>;
export type PagesAnswer = z.infer<typeof pagesAnswer>;

const requestName = z
  .string()
  .regex(/^[a-z](?:[a-z0-9-]{0,28}[a-z0-9])?$/, 'expected a name such as list-pods');
const argumentName = z.string().regex(/^[a-z][a-z0-9_]{0,30}$/, 'expected a name such as namespace');
const wirePath = z
  .string()
  .max(300)
  .regex(/^\/(?:[\w.~:@$&+,;=!*'()%{}/-]*)$/, 'expected a path such as /api/v1/query')
  .refine(
    (text) => !/\/\.{1,2}(?:\/|$)|%2e|\/\//i.test(text),
    'expected a path without . and .. and empty parts',
  );

const requestSchema = z
  .strictObject({
    about: z.string().min(10).max(500),
    get: wirePath.optional(),
    post: wirePath.optional(),
    isRead: z.literal(true).optional().describe('States that the POST request reads and changes nothing.'),
    query: z
      .record(z.string().min(1).max(100), z.union([z.string().max(2_000), z.number(), z.boolean()]))
      .default({}),
    body: z.json().optional(),
    arguments: z.record(argumentName, argumentSchema).default({}),
    answer: answerSchema,
  })
  .refine(({ get, post }) => (get === undefined) !== (post === undefined), 'expected either get or post')
  .refine(({ post, isRead }) => (post !== undefined) === (isRead ?? false), {
    path: ['isRead'],
    error: 'expected isRead: true for a POST request that reads, and for no other',
  })
  .refine(({ get, body }) => get === undefined || body === undefined, {
    path: ['body'],
    error: 'expected a body for a POST request only',
  });
export type RequestSpec = z.infer<typeof requestSchema>;

/** How the secret of a data source is sent. */
export type AuthScheme = (typeof SECRET_SCHEMES)[number];
const headerName = z.string().regex(/^[A-Za-z0-9-]{1,100}$/, 'expected the name of a header');

const sourceSchema = z.strictObject({
  name: dataSourceNameSchema,
  title: z.string().min(2).max(60),
  about: z.string().min(10).max(400),
  documentation: z.url().describe('Page of the maker that documents the requests.'),
  tested: z.enum(['server', 'documentation']).optional().describe('Shipped sources only.'),
  url: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('Address if the operator gives none.'),
  auth: z.array(z.enum(SECRET_SCHEMES)).max(3).default(['bearer', 'basic']),
  header: headerName.optional().describe('Header of the secret for the scheme `header`.'),
  headers: z.record(headerName, z.string().max(500)).default({}),
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
  problem: path.optional().describe('Path to the message in an error answer.'),
  probe: z.strictObject({ request: requestName, arguments: z.record(argumentName, z.json()).default({}) }),
  requests: z.record(requestName, requestSchema).refine((all) => {
    const count = Object.keys(all).length;
    return count >= 1 && count <= 20;
  }, 'expected 1 to 20 requests'),
});
/** A data source as its file declares it. */
export type DataSource = z.infer<typeof sourceSchema>;

/** Name of the request of a search whose answer is pages. */
const SEARCH_REQUEST = 'search';

/** Places of arguments in paths, queries and bodies. */
export const ARGUMENT_PLACE = /\{([a-z][a-z0-9_]{0,30})\}/g;

/** Reads the content of a source file. @throws InvalidInput that names each wrong field and what was expected. */
export function readDataSource(value: unknown): DataSource {
  const source = parseInput(sourceSchema, value, 'data source');
  const problems = [
    ...Object.entries(source.requests).flatMap(([name, request]) =>
      requestProblems(`requests.${name}`, request),
    ),
    ...probeProblems(source),
    ...searchProblems(source),
    ...(source.auth.includes('header') && source.header === undefined
      ? [{ path: 'header', message: 'expected the name of the header for the scheme header' }]
      : []),
  ];
  if (problems.length > 0) throw new InvalidInput(problems, 'data source');
  return source;
}

function requestProblems(at: string, request: RequestSpec): FieldProblem[] {
  const { arguments: specs, get, post, query, body } = request;
  const segments = (get ?? post ?? '')
    .split('/')
    .map((text): [string, string] => [get === undefined ? 'post' : 'get', text]);
  const places: [string, string][] = [
    ...segments,
    ...Object.entries(query).map(([key, text]): [string, string] => [`query.${key}`, String(text)]),
    ...textsIn(body).map((text): [string, string] => ['body', text]),
  ];
  const used = new Set<string>();
  const problems = places.flatMap(([field, text]) =>
    [...text.matchAll(ARGUMENT_PLACE)].flatMap(([place, name = '']): FieldProblem[] => {
      used.add(name);
      const spec = specs[name];
      if (spec === undefined)
        return [{ path: `${at}.${field}`, message: `expected an argument named ${name}` }];
      const isPath = field === 'get' || field === 'post';
      if (isPath && spec.optional)
        return [{ path: `${at}.${field}`, message: `expected that ${name} is not optional` }];
      return place === text || isPlain(spec)
        ? []
        : [
            {
              path: `${at}.${field}`,
              message: `expected {${name}} alone, or another type than text for ${name}`,
            },
          ];
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

/** A kind of case finds the search of a source by its name and sends it the words alone. */
function searchProblems({ requests }: DataSource): FieldProblem[] {
  return Object.entries(requests).flatMap(([name, { answer, arguments: specs }]) => {
    if (!('pages' in answer)) return [];
    const needed = Object.entries(specs).filter(
      ([argument, spec]) => argument !== 'query' && !spec.optional && spec.default === undefined,
    );
    const isSearch = name === SEARCH_REQUEST && specs['query']?.type === 'text' && needed.length === 0;
    const message = `expected the name ${SEARCH_REQUEST}, and one argument without a default: query, a text`;
    return isSearch ? [] : [{ path: `requests.${name}`, message }];
  });
}

/** Returns the texts of a JSON value, without the names of its fields. */
export function textsIn(value: Json | undefined): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap((one) => textsIn(one as Json));
}
