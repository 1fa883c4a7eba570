import { request as httpRequest } from 'node:http';
import type { Json, JsonObject } from '@casefile/contracts';
import type { Below } from './attacks.js';

/** One operation of an API document, with the parts that a request needs. */
export interface Operation {
  /** URL of the service. */
  base: string;
  method: string;
  /** Path with its parameters as `{name}`. */
  path: string;
  query: readonly string[];
  bodies: readonly Json[];
}

/** A request that no careful client sends. */
export interface OddRequest {
  method: string;
  url: string;
  headers: Record<string, string>;
  body: Buffer | null;
}

interface Shape {
  $ref?: string;
  properties?: Record<string, Shape>;
  items?: Shape;
  anyOf?: Shape[];
  example?: Json;
  examples?: Record<string, { value: Json }>;
  schema?: Shape;
}
interface Documented {
  parameters?: { name: string; in: string }[];
  requestBody?: { content: Record<string, Shape> };
}
interface Document {
  paths: Record<string, Record<string, Documented>>;
  components?: { schemas?: Record<string, Shape> };
  servers?: { url: string }[];
}

const NOWHERE = '01900000-0000-7000-8000-00000000dead';
const NUL = '\u0000';
/** Texts that once caused an error, or that careless code reads as another value. */
const ODD_TEXTS = [
  '',
  ' ',
  NUL,
  `a${NUL}b`,
  '\u202e\u009b\ufeff',
  '%',
  '%00',
  '../../etc/passwd',
  '//',
  '.',
  "'; --",
  '<a>',
  'constructor',
  '__proto__',
  'null',
  'undefined',
  'NaN',
  'Infinity',
  '-1',
  '1e309',
  '9'.repeat(40),
  '0x10',
  '0000-01-01T00:00:00Z',
  '0000-01-01',
  '+010000-01-01T00:00:00Z',
  '0001-01-01T00:00:00+14:00',
  'now',
  'z',
  'x'.repeat(5_000),
  '👩‍👩‍👧',
  'ɐ'.repeat(300),
  NOWHERE,
  NOWHERE.toUpperCase(),
  `{${NOWHERE}}`,
  '0.0',
  '1,2,,',
  'MC4w',
  'OTk5OTk5OTk5OTk5OTk5OTkuMA',
  'LTEuYQ',
  'MS4A',
];
const ODD_VALUES: readonly Json[] = [
  null,
  true,
  0,
  -1,
  1e308,
  -1e-300,
  2 ** 53,
  0.1,
  [],
  {},
  [[]],
  [null],
  { a: 1 },
  ['a', 'a'],
  [1, 'a'],
  ...ODD_TEXTS,
  '\ud800',
  'a\udfff',

  { ['__proto__']: { a: 1 } },
  { constructor: {} },
  { [NUL]: 1 },
  { '\ud800': 1 },
  Array(3_000).fill('a') as Json[],
  deep(40),
  deep(3_000),
];
const ODD_BODIES = [
  '',
  ' ',
  '{',
  '[',
  '"',
  'nul',
  '{}x',
  '\ufeff{}',
  '[1,]',
  '{"a":1,"a":2}',
  '"\\ud800"',
  '1e999',
];
const ODD_HEADERS: [string, readonly string[]][] = [
  [
    'content-type',
    ['text/plain', 'application/json; charset=utf-16', 'application/json; charset=x', '', '/', 'a/b+json'],
  ],
  [
    'content-type',
    ['application/cloudevents+json', 'application/cloudevents-batch+json', 'multipart/form-data'],
  ],
  ['content-encoding', ['gzip', 'br', 'deflate', 'x', 'gzip, gzip', 'identity']],
  ['last-event-id', ['-1', '0.0', '1.1', '99999999999999999999.1', 'x', '1.', '\u00ff']],
  ['idempotency-key', ['', ' ', 'k'.repeat(256), '\u00ff', 'k']],
  ['accept', ['', 'text/html', '*/*;q=0']],
  ['ce-specversion', ['1.0', '0.3', '']],
  ['expect', ['100-continue', 'x']],
  ['if-none-match', ['*']],
  ['range', ['bytes=0-0']],
];
const METHODS = ['get', 'post', 'put', 'delete', 'patch', 'options'];

function deep(levels: number): Json {
  let value: Json = 'x';
  for (let i = 0; i < levels; i += 1) value = i % 2 === 0 ? [value] : { a: value };
  return value;
}

/** Reads the operations of a served API document. */
export async function operationsAt(base: string, documentPath: string): Promise<Operation[]> {
  const answer = await fetch(base + documentPath);
  const document = (await answer.json()) as Document;
  const prefix = (document.servers?.[0]?.url ?? '').replace(/\/$/, '');
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { parameters = [], requestBody }]) => ({
      base,
      method,
      path: prefix + path,
      query: parameters.filter((one) => one.in === 'query').map(({ name }) => name),
      bodies: Object.values(requestBody?.content ?? {}).flatMap((content) => examplesOf(content, document)),
    })),
  );
}

function examplesOf(content: Shape, document: Document): Json[] {
  const examples = [content.example, ...Object.values(content.examples ?? {}).map(({ value }) => value)];
  return [...examples.filter((value) => value !== undefined), skeletonOf(content.schema ?? {}, document)];
}

/** Returns a value with the keys of a schema. Its values are texts. */
function skeletonOf(schema: Shape, document: Document): Json {
  const { $ref, properties, items, anyOf } = schema;
  if ($ref !== undefined)
    return skeletonOf(document.components?.schemas?.[$ref.split('/').at(-1) ?? ''] ?? {}, document);
  if (anyOf?.[0] !== undefined) return skeletonOf(anyOf[0], document);
  if (items !== undefined) return [skeletonOf(items, document)];
  if (properties === undefined) return 'x';
  return Object.fromEntries(Object.entries(properties).map(([key, one]) => [key, skeletonOf(one, document)]));
}

/**
 * Returns a drawn request of an operation that differs from the document: ids, filters, cursors, headers, a
 * method or a body.
 * @param knownIds Existing ids, by the name of their path parameter. Without an id, a request ends at "not
 * found".
 */
export function oddRequest(
  operation: Operation,
  knownIds: Readonly<Record<string, string>>,
  below: Below,
): OddRequest {
  const pick = <T>(of: readonly T[]): T => of[below(of.length)] as T;
  const request: OddRequest = { method: operation.method, url: '', headers: {}, body: null };
  const odd = pick(oddities(operation));
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) =>
    odd === 'path'
      ? pick([encodeURIComponent(pick(ODD_TEXTS)), '%', '%ed%a0%80', '%ff'])
      : (knownIds[name] ?? NOWHERE),
  );
  request.url =
    operation.base + path + (odd === 'query' || below(4) === 0 ? oddQuery(operation.query, below) : '');
  if (odd === 'method') request.method = pick(METHODS.filter((method) => method !== operation.method));
  if (operation.bodies.length > 0 || odd === 'body') {
    const body = pick([...operation.bodies, {}]);
    const isBroken = odd === 'body' && below(4) === 0;
    const text = isBroken ? pick(ODD_BODIES) : JSON.stringify(odd === 'body' ? mutated(body, below) : body);
    request.headers['content-type'] = pick(['application/json', 'application/cloudevents+json']);
    request.body = Buffer.from(text);
  }
  if (odd === 'header' || below(6) === 0) {
    const [name, values] = pick(ODD_HEADERS);
    request.headers[name] = pick(values);
  }
  return request;
}

/**
 * Returns the parts of a request that can be made odd. A body is drawn as often as all other parts together.
 */
function oddities({ path, bodies }: Operation): readonly string[] {
  const body = bodies.length > 0 ? ['body', 'body', 'body', 'body'] : ['body'];
  return [...(path.includes('{') ? ['path', 'path'] : []), 'query', 'query', 'header', 'method', ...body];
}

function oddQuery(names: readonly string[], below: Below): string {
  const pick = <T>(of: readonly T[]): T => of[below(of.length)] as T;
  const all = [...names, 'cursor', 'limit', 'constructor', 'x'];
  const parts = Array.from({ length: 1 + below(3) }, () => {
    const name = pick(all) + pick(['', '', '', '[]', '[a]', '[a][b]']);
    return `${name}=${pick([encodeURIComponent(pick(ODD_TEXTS)), '%', '%ff', '&'])}`;
  });
  return `?${parts.join('&')}`;
}

/** Returns the value with one part at any depth replaced by an odd one, or with one more key. */
function mutated(value: Json, below: Below): Json {
  const odd = () => ODD_VALUES[below(ODD_VALUES.length)] as Json;
  if (typeof value !== 'object' || value === null || below(5) === 0) return odd();
  if (Array.isArray(value)) {
    const at = below(value.length + 1);
    return value.length === 0 ? [odd()] : value.map((one, i) => (i === at ? mutated(one, below) : one));
  }
  const keys = Object.keys(value);
  const key = below(6) === 0 || keys.length === 0 ? 'x' : (keys[below(keys.length)] as string);
  const changed: JsonObject = { ...value, [key]: mutated(value[key] ?? null, below) };
  if (below(6) === 0) delete changed[keys[below(keys.length)] ?? ''];
  return changed;
}

/**
 * Sends a request unchanged, which `fetch` would not do. @returns its status; 0: the connection was closed
 * without an answer.
 */
export async function statusOf({ method, url, headers, body }: OddRequest): Promise<number> {
  return new Promise((resolve, reject) => {
    // A parser that continues with the rest of an odd request must not answer the next one.
    const length = body === null ? {} : { 'content-length': String(body.length) };
    const options = {
      method: method.toUpperCase(),
      headers: { ...headers, ...length },
      agent: false,
    } as const;
    const request = httpRequest(url, options, (response) => {
      resolve(response.statusCode ?? 0);
      // An event stream does not end, so the request is closed.
      if (response.headers['content-type']?.startsWith('text/event-stream')) response.destroy();
      else response.resume();
    });
    request.setTimeout(120_000, () => request.destroy(new Error(`no answer to ${method} ${url}`)));
    request.on('error', (error: NodeJS.ErrnoException) =>
      ['ECONNRESET', 'EPIPE'].includes(error.code ?? '') ? resolve(0) : reject(error),
    );
    request.end(body ?? undefined);
  });
}
