import { CasefileError, SECRET_SCHEMES, z, type Json } from '@casefile/contracts';
import { createGuardedRead, type PlainAnswer } from '../../fetch/guarded-fetch.js';
import { answerSchema, path } from '../answer-schema.js';
import { placeArguments } from '../place-arguments.js';
import { defineProtocol, requestFields, type ReadAnswer, type Service } from './protocol.js';

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
    ...requestFields,
    get: wirePath.optional(),
    post: wirePath.optional(),
    isRead: z.literal(true).optional().describe('States that the POST request reads and changes nothing.'),
    query: z
      .record(z.string().min(1).max(100), z.union([z.string().max(2_000), z.number(), z.boolean()]))
      .default({}),
    body: z.json().optional(),
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
export type HttpRequest = z.infer<typeof requestSchema>;

const headerName = z.string().regex(/^[A-Za-z0-9-]{1,100}$/, 'expected the name of a header');
const sourceFields = {
  auth: z.array(z.enum(SECRET_SCHEMES)).max(3).default(['bearer', 'basic']),
  header: z
    .union([headerName, z.array(headerName).min(2).max(3)])
    .default('authorization')
    .describe(
      'Header of the secret for the scheme `header`; of several, the secret has the values with : between.',
    ),
  headers: z.record(headerName, z.string().max(500)).default({}),
  problem: path.optional().describe('Path to the message in an error answer.'),
};
type HttpSource = z.infer<z.ZodObject<typeof sourceFields>>;

/** Statuses whose answer says what is wrong with the request. */
const EXPLAINED = [400, 404, 409, 422];
const EVERY_STATUS = Array.from({ length: 400 }, (_none, i) => 200 + i);

/** Services with an API over HTTP. */
export const http = defineProtocol<HttpSource, HttpRequest>({
  schemes: ['http:', 'https:'],
  address: /^https?:\/\/[^?#]+$/,
  example: 'http://service:8080',
  source: sourceFields,
  request: requestSchema,
  places: ({ get, post, query, body }) => [
    ...(get ?? post ?? '')
      .split('/')
      .map((text) => ({ field: get === undefined ? 'post' : 'get', text, holds: 'path' as const })),
    ...Object.entries(query).map(([key, text]) => ({
      field: `query.${key}`,
      text: String(text),
      holds: 'text' as const,
    })),
    ...textsIn(body).map((text) => ({ field: 'body', text, holds: 'text' as const })),
  ],
  client(service) {
    const { source, url } = service;
    const fetchAnswer = createGuardedRead({ baseUrl: url, maxBytes: source.limits.bytes });
    return async ({ request, values, secret }, read, context) => {
      const { clock } = context;
      const { method, path, body } = placeArguments(request, values);
      const headers = { ...source.headers, ...authHeader(service, secret) };
      const content = body === undefined ? {} : { body };
      const isProbe = 'status' in request.answer;
      const acceptedStatuses = isProbe ? EVERY_STATUS : EXPLAINED;
      const startedAt = clock.now();
      const answer = await fetchAnswer({ path, method, headers, ...content, acceptedStatuses }, context);
      if (isProbe) {
        const facts = `HTTP status ${answer.status} after ${clock.now() - startedAt} ms, ${answer.bytes.length} bytes`;
        return Buffer.from(
          `${new Date(startedAt).toISOString()} ${method} ${new URL(url).origin}${path}: ${facts}`,
        );
      }
      if (answer.status >= 300) throw await refused(answer, service, read);
      return answer.bytes;
    };
  },
});

/** Returns the texts of a JSON value, without the names of its fields. */
function textsIn(value: Json | undefined): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap((one) => textsIn(one as Json));
}

/** Most characters of a message about a refused request. */
const MOST_SAID = 500;

async function refused(
  { status, bytes }: Pick<PlainAnswer, 'status' | 'bytes'>,
  { source: { problem }, url }: Service<HttpSource>,
  read: ReadAnswer,
): Promise<CasefileError> {
  const { host } = new URL(url);
  const said = problem === undefined ? '' : await problemIn(bytes, problem, read);
  const message = `${host} answered with HTTP ${status}${said === '' ? '' : `: ${said}`}`;
  return new CasefileError(status === 404 ? 'not_found' : 'bad_answer', message, {
    details: { host, status },
  });
}

/** Returns the message of an error answer; empty: it has none that can be read. */
async function problemIn(bytes: Uint8Array, path: string, read: ReadAnswer): Promise<string> {
  try {
    const { text } = await read(bytes, { rows: '$', text: `{${path}}`, newestFirst: false }, 1);
    return typeof text === 'string' ? text.slice(0, MOST_SAID) : '';
  } catch (error) {
    if (error instanceof CasefileError) return '';
    throw error;
  }
}

function authHeader({ source, scheme }: Service<HttpSource>, secret: string | null): Record<string, string> {
  if (secret === null) return {};
  if (scheme === 'header') return ownHeaders(source.header, secret);
  const value = scheme === 'bearer' ? `Bearer ${secret}` : `Basic ${Buffer.from(secret).toString('base64')}`;
  return { authorization: value };
}

function ownHeaders(header: HttpSource['header'], secret: string): Record<string, string> {
  if (typeof header === 'string') return { [header]: secret };
  const values = secret.split(':');
  if (values.length !== header.length)
    throw new CasefileError(
      'bad_configuration',
      `expected a secret of ${header.length} values with : between them, for ${header.join(', ')}`,
    );
  return Object.fromEntries(header.map((name, i) => [name, values[i] ?? '']));
}
