import { factOpenApi, type ApiOperation, type ProblemStatus, type Examples } from '@casefile/runtime';
import { API_TAGS, type Route } from './http/route.js';
import type { AcceptedAlert, CaseList, CaseSummary, PlaybookList } from '@casefile/contracts';
import type { Kind } from '@casefile/kit';
import recordedExamples from './examples.json' with { type: 'json' };
import { caseSummaryEntry } from './shown-case.js';
import { outboundWebhooks } from './outbound-webhooks.js';
import { listedPlaybook } from './routes/alerts.js';

/**
 * Returns the OpenAPI 3.1 document of a route table. Its examples of cases are those of the first kind that
 * has one.
 */
export function openApiDocument(
  routes: readonly Route[],
  kinds: readonly Kind[],
): ReturnType<typeof factOpenApi> {
  const examples = { ...recorded(), ...examplesOfKind(kinds) };
  const document = factOpenApi(
    {
      title: 'Casefile',
      description: 'The record: cases, events, policies, the pipeline, queues and dead letters.',
      server: '/api/v1',
      tags: API_TAGS,
    },
    routes.map((route) => operation(route, examples)),
  );
  return { ...document, webhooks: outboundWebhooks() };
}

function operation(route: Route, examples: Record<string, Example | undefined>): ApiOperation {
  const { method, path, operationId, tag, summary, answer, status, input, shown, response } = route;
  const example = examples[operationId];
  return {
    method,
    path,
    operationId,
    tag,
    summary,
    answer,
    status,
    response: typeof response === 'string' ? MEDIA[response] : response,
    examples: example && { example: { summary: 'An answer', value: example.answer } },
    params: input.params,
    query: input.query,
    headers: shown?.headers,
    body: shown?.body ?? input.body,
    bodyExamples: example?.bodies,
    bodyMedia: shown?.bodyMedia,
    problems: routeProblems(route),
  };
}

const MEDIA = {
  'text/event-stream': { media: 'text/event-stream', schema: { type: 'string' } },
  'image/*': { media: 'image/*', schema: { type: 'string', contentMediaType: 'application/octet-stream' } },
};

function routeProblems({ input, problems = [] }: Route): ProblemStatus[] {
  const all: ProblemStatus[] = [...problems, 503];
  if (Object.keys(input).length > 0) all.push(400);
  if (input.params !== undefined) all.push(404);
  return all.sort((one, other) => one - other);
}

interface Example {
  answer: unknown;
  bodies?: Examples;
}

/** Returns the examples that the tests record from requests that they send, by operation id. */
function recorded(): Record<string, Example> {
  const examples: Record<string, { answer: unknown; body?: unknown }> = recordedExamples;
  return Object.fromEntries(
    Object.entries(examples).map(([operation, { answer, body }]) => [
      operation,
      { answer, ...(body !== undefined && { bodies: { example: { summary: 'A request', value: body } } }) },
    ]),
  );
}

const CASE = '01900000-0000-7000-8000-000000000001';
const RUN = '01900000-0000-7000-8000-000000000002';
const ALERT = '01900000-0000-7000-8000-000000000003';
const AT = '2026-01-05T10:00:00.000Z';

const accepted: AcceptedAlert = { alertId: ALERT, caseId: CASE, runId: RUN, joined: false };

// Examples of alerts and cases depend on the kind: they are the kind's own example, as the handlers answer
// it.
function examplesOfKind(kinds: readonly Kind[]): Record<string, Example | undefined> {
  const kind = kinds.find(({ example }) => example !== null);
  if (kind === undefined || kind.example === null)
    return {
      listCases: undefined,
      listSessions: undefined,
      submitAlert: undefined,
      listPlaybooks: undefined,
    };
  const { playbook } = kind;
  const { alert, verdict } = kind.example;
  const summary: CaseSummary = {
    id: CASE,
    status: 'decided',
    playbook: playbook.name,
    alertCount: 1,
    createdAt: AT,
    updatedAt: AT,
    text: alert.text ?? '',
    costUsd: 0.0021,
    hasReasoning: true,
    run: {
      id: RUN,
      lane: 'live',
      status: 'decided',
      stage: null,
      round: 1,
      verdict,
      decidedAt: verdict.decidedAt,
    },
  };
  const cases: CaseList = {
    cases: [caseSummaryEntry(summary, [playbook])],
    nextCursor: null,
    searchableTo: null,
  };
  return {
    listCases: { answer: cases },
    listSessions: { answer: cases },
    submitAlert: { answer: accepted, bodies: { text: { summary: 'A message', value: alert } } },
    listPlaybooks: { answer: { playbooks: [listedPlaybook(playbook)] } satisfies PlaybookList },
  };
}
