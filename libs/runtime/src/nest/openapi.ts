import { z } from '@casefile/contracts';
import { override, refTo, Schemas, type JsonSchema } from './api-schemas.js';

/** Description of each status, with its header. */
const PROBLEMS = {
  400: 'The request is invalid: `errors` names every invalid field.',
  401: 'The access key, the session or the signature of a webhook is missing or not valid.',
  403: 'The caller has no right to it, or the request comes from a page of another site.',
  404: 'There is no such thing.',
  409: 'It is not in a state for that.',
  413: 'The body exceeds the size limit of this service.',
  415: 'The body is not sent as JSON.',
  421: 'The service does not accept this host name: see `CASEFILE_HOSTS`.',
  422: 'The Idempotency-Key was used before with another body.',
  429: 'A limit of number or rate is reached. Try again after `Retry-After`, if present.',
  500: 'Internal error; see the log.',
  503: 'Unavailable: too much work waits, or the database does not answer. Try again after `Retry-After`.',
} as const;
export type ProblemStatus = keyof typeof PROBLEMS;

/** Header that makes a repeated alert count once. */
export const idempotencyHeader = z.object({
  'Idempotency-Key': z
    .string()
    .min(1)
    .max(255)
    .optional()
    .describe('A repeat with the same body gets the same answer; with another body, 422.'),
});

export type Examples = Record<string, { summary: string; value: unknown }>;

/** One method of one path. */
export interface ApiOperation {
  method: 'get' | 'post';
  /** Path below the server's URL. Parameters are written `{name}`. */
  path: string;
  operationId: string;
  tag: string;
  summary: string;
  /** Description of a successful answer. */
  answer: string;
  status: 200 | 201 | 202;
  /** Schema of a JSON answer, or the media type of another answer. */
  response: z.ZodType | { media: string; schema: JsonSchema };
  examples?: Examples | undefined;
  /** Answer 202 for work that is not done yet. */
  later?: { answer: string; response: z.ZodType; examples: Examples } | undefined;
  params?: z.ZodObject | undefined;
  query?: z.ZodObject | undefined;
  headers?: z.ZodObject | undefined;
  body?: z.ZodType | undefined;
  bodyExamples?: Examples | undefined;
  /** Media type of the body. Default: JSON. */
  bodyMedia?: 'multipart/form-data' | undefined;
  /** Possible problems, in addition to those of the guard before every service, and 500. */
  problems: ProblemStatus[];
}

export interface ApiFacts {
  title: string;
  description: string;
  server: string;
  /** Names of tags, and the subjects of their operations. */
  tags: Record<string, string>;
}

/** Text of every document, because it applies to every service. */
const EVERYWHERE = `

Errors are \`application/problem+json\` (RFC 9457) with a \`reasonCode\`. A known path with a method that it does not
have is answered 405 with the header \`Allow\`. Fields are only ever added: a client ignores unknown fields.

On loopback without access keys, every client may use every path. Once there is a key, a request needs one in \`Authorization: Bearer cf_...\`, or a session, and is answered 401 or 403 without the right.`;

/**
 * Returns the OpenAPI 3.1 document of some operations. Its components are only those that the operations
 * refer to.
 */
export function factOpenApi(facts: ApiFacts, operations: readonly ApiOperation[]): JsonSchema {
  const { title, description, server, tags } = facts;
  const schemas = new Schemas();
  const paths: Record<string, JsonSchema> = {};
  for (const one of operations)
    paths[one.path] = { ...paths[one.path], [one.method]: operationOf(one, schemas) };
  return {
    openapi: '3.1.0',
    info: {
      title,
      version: '1',
      description: description + EVERYWHERE,
      license: { name: 'All rights reserved', identifier: 'LicenseRef-UNLICENSED' },
    },
    servers: [{ url: server }],
    security: [{}, { accessKey: [] }],
    tags: Object.entries(tags).map(([name, about]) => ({ name, description: about })),
    paths,
    components: {
      schemas: schemas.used(paths),
      securitySchemes: { accessKey: { type: 'http', scheme: 'bearer', bearerFormat: 'cf_...' } },
    },
  };
}

function operationOf(one: ApiOperation, schemas: Schemas): JsonSchema {
  const parameters = [
    ...placeParameters('path', one.params),
    ...placeParameters('query', one.query),
    ...placeParameters('header', one.headers),
  ];
  const { body, bodyExamples, bodyMedia = 'application/json', problems } = one;
  return {
    operationId: one.operationId,
    tags: [one.tag],
    summary: one.summary,
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === undefined
      ? {}
      : {
          requestBody: {
            required: true,
            content: {
              [bodyMedia]: {
                schema: schemas.requestSchema(body),
                ...(bodyExamples && { examples: bodyExamples }),
              },
            },
          },
        }),
    responses: {
      [one.status]: { description: one.answer, content: goodAnswer(one, schemas) },
      ...(one.later === undefined
        ? {}
        : {
            202: {
              description: one.later.answer,
              content: json(schemas.answerSchema(one.later.response), { examples: one.later.examples }),
            },
          }),
      ...Object.fromEntries(
        [...new Set<ProblemStatus>([...problems, ...guardedBy(one), 500])].map((status) => [
          status,
          problem(status),
        ]),
      ),
    },
  };
}

// Returns the problems of the guard before every service, which checks the host name, the sender and the body
// type.
function guardedBy({ body }: ApiOperation): ProblemStatus[] {
  return body === undefined ? [401, 403, 421] : [401, 403, 413, 415, 421];
}

function goodAnswer({ response, examples }: ApiOperation, schemas: Schemas): JsonSchema {
  if (!(response instanceof z.ZodType)) return { [response.media]: { schema: response.schema } };
  return json(schemas.answerSchema(response), examples && { examples });
}

function problem(status: ProblemStatus): JsonSchema {
  const seconds = {
    description: 'Seconds to wait before another try.',
    schema: { type: 'integer', minimum: 1 },
  };
  return {
    description: PROBLEMS[status],
    ...(status === 503 || status === 429 ? { headers: { 'Retry-After': seconds } } : {}),
    content: { 'application/problem+json': { schema: { $ref: refTo('Problem') } } },
  };
}

function placeParameters(place: string, schema: z.ZodObject | undefined): JsonSchema[] {
  if (schema === undefined) return [];
  const { properties = {}, required = [] } = z.toJSONSchema(schema, { io: 'input', override }) as {
    properties?: Record<string, JsonSchema>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, { description, ...of }]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    ...(description === undefined ? {} : { description }),
    schema: of,
  }));
}

function json(schema: JsonSchema, more: JsonSchema = {}): JsonSchema {
  return { 'application/json': { schema, ...more } };
}
