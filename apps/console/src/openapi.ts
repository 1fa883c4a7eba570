import { openApiOf, type ApiOperation, type ProblemStatus } from '@casefile/runtime';
import { EXAMPLES } from './api-examples.js';
import { API_TAGS, type Route } from './http/route.js';

/** The OpenAPI 3.1 document of a route table. */
export function openApiDocument(routes: readonly Route[]): ReturnType<typeof openApiOf> {
  return openApiOf(
    {
      title: 'Casefile',
      description: 'The record: cases, events, policies, the pipeline, queues and dead letters.',
      server: '/api/v1',
      tags: API_TAGS,
    },
    routes.map(operation),
  );
}

function operation(route: Route): ApiOperation {
  const { method, path, tag, summary, answer, status, input, shown, response } = route;
  const operationId = route.operationId ?? route.handler.name;
  const example = EXAMPLES[operationId];
  return {
    ...{ method, path, operationId, tag, summary, answer, status },
    response: typeof response === 'string' ? MEDIA[response] : response,
    ...{
      examples: example && { example: { summary: 'An answer', value: example.answer } },
      params: input.params,
      query: input.query,
      headers: shown?.headers,
    },
    body: shown?.body ?? input.body,
    bodyExamples: example?.bodies,
    problems: problemsOf(route),
  };
}

const MEDIA = {
  'text/event-stream': { media: 'text/event-stream', schema: { type: 'string' } },
  'image/*': { media: 'image/*', schema: { type: 'string', contentMediaType: 'application/octet-stream' } },
};

function problemsOf({ input, problems = [] }: Route): ProblemStatus[] {
  const all: ProblemStatus[] = [...problems, 503];
  if (Object.keys(input).length > 0) all.push(400);
  if (input.params !== undefined) all.push(404);
  return all.sort((one, other) => one - other);
}
