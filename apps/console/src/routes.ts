import { getCase, getCaseInput } from './handlers/get-case.js';
import { listCases, listCasesInput } from './handlers/list-cases.js';
import { listDeadLetters, listDeadLettersInput } from './handlers/list-dead-letters.js';
import { listQueues, listQueuesInput } from './handlers/list-queues.js';
import { redriveDeadLetters, redriveDeadLettersInput } from './handlers/redrive-dead-letters.js';
import { streamEvents, streamEventsInput } from './handlers/stream-events.js';
import { route, type Route } from './http/route.js';

/** The ops API, below `/api/v1`. One handler a file in `handlers/`, one entry here. */
export const routes: readonly Route[] = [
  route({
    method: 'get',
    path: '/cases',
    summary: 'Cases, newest first',
    input: listCasesInput,
    answer:
      '{ items, nextCursor }: each case with the facts of its newest run; nextCursor is null on the last page',
    handler: listCases,
  }),
  route({
    method: 'get',
    path: '/cases/{caseId}',
    summary: 'One case with everything on its record',
    input: getCaseInput,
    answer:
      'alerts and runs; each run with verdict, artifacts, evidence, toolCalls, interactions, trace and cost',
    handler: getCase,
  }),
  route({
    method: 'get',
    path: '/history/sessions',
    summary: 'The same as /cases',
    input: listCasesInput,
    answer: 'As /cases answers',
    handler: listCases,
  }),
  route({
    method: 'get',
    path: '/history/sessions/{caseId}',
    summary: 'The same as /cases/{caseId}',
    input: getCaseInput,
    answer: 'As /cases/{caseId} answers',
    handler: getCase,
  }),
  route({
    method: 'get',
    path: '/events',
    summary: 'What happens, as it happens (also over the WebSocket /ws?lastEventId=)',
    input: streamEventsInput,
    answer:
      'Server-sent events { id, type, caseId, runId, data, at }. With Last-Event-ID everything after that event first; with lastEventId=0 everything there is.',
    answers: 'event-stream',
    handler: streamEvents,
  }),
  route({
    method: 'get',
    path: '/dead-letters',
    summary: 'Work that waits for a person',
    input: listDeadLettersInput,
    answer: '{ items }: each with its kind, reason and, for an alert, the payload as it came',
    handler: listDeadLetters,
  }),
  route({
    method: 'post',
    path: '/dead-letters/redrive',
    summary: 'Send dead letters on their way again: { "ids": [...] } or { "all": true }',
    input: redriveDeadLettersInput,
    answer: '{ results }: for each dead letter its kind and case, or the problem that keeps it where it is',
    handler: redriveDeadLetters,
  }),
  route({
    method: 'get',
    path: '/queues',
    summary: 'How full the queues are',
    input: listQueuesInput,
    answer: '{ items }: waiting, active, delayed and failed jobs a queue, and the age of the oldest',
    handler: listQueues,
  }),
];
