import { z } from '@casefile/contracts';
import type { OpenAPIObject } from '@nestjs/swagger';
import type { Route } from './http/route.js';

type Schema = Record<string, unknown>;

/** The OpenAPI 3.1 document of a route table. */
export function openApiDocument(routes: readonly Route[]): OpenAPIObject {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const route of routes) paths[route.path] = { ...paths[route.path], [route.method]: operation(route) };
  return {
    openapi: '3.1.0',
    info: {
      title: 'Casefile',
      version: '1',
      description: 'The record: cases, events, policies, the pipeline, queues and dead letters.',
    },
    servers: [{ url: '/api/v1' }],
    paths: paths as OpenAPIObject['paths'],
    components: { schemas: { Problem: PROBLEM as object } },
  };
}

const MEDIA: Record<Route['answers'], { type: string; schema: Schema }> = {
  json: { type: 'application/json', schema: { type: 'object' } },
  'event-stream': { type: 'text/event-stream', schema: { type: 'string' } },
  image: { type: 'image/*', schema: { type: 'string', format: 'binary' } },
};

function operation({ summary, input, answer, answers, status, bodyShown }: Route): Schema {
  const media = MEDIA[answers];
  const body = bodyShown ?? input.body;
  const problem = {
    content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
  };
  return {
    summary,
    parameters: [...parameters('path', input.params), ...parameters('query', input.query)],
    ...(body === undefined ? {} : { requestBody: { required: true, content: json(jsonSchemaOf(body)) } }),
    responses: {
      [status]: { description: answer, content: { [media.type]: { schema: media.schema } } },
      400: { description: 'Something in the request is wrong: every wrong field is named', ...problem },
      ...(input.params === undefined ? {} : { 404: { description: 'There is no such thing', ...problem } }),
    },
  };
}

function parameters(place: 'path' | 'query', schema: z.ZodType | undefined): Schema[] {
  if (schema === undefined) return [];
  const { properties = {}, required = [] } = jsonSchemaOf(schema) as {
    properties?: Schema;
    required?: string[];
  };
  return Object.entries(properties).map(([name, of]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema: of,
  }));
}

function json(schema: Schema): Schema {
  return { 'application/json': { schema } };
}

function jsonSchemaOf(schema: z.ZodType): Schema {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io: 'input' });
  return rest;
}

/** RFC 9457, with the wrong fields. */
const PROBLEM: Schema = {
  type: 'object',
  required: ['type', 'title', 'status', 'detail', 'reasonCode'],
  properties: {
    type: { type: 'string' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string' },
    reasonCode: { type: 'string' },
    errors: {
      type: 'array',
      items: { type: 'object', properties: { path: { type: 'string' }, message: { type: 'string' } } },
    },
  },
};
