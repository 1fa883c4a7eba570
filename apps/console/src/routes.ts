import { alertInputSchema } from '@casefile/contracts';
import { dropDeadLetters, dropDeadLettersInput } from './handlers/drop-dead-letters.js';
import { getAlertImage, getAlertImageInput } from './handlers/get-alert-image.js';
import { getCase, getCaseInput } from './handlers/get-case.js';
import { getDeadLetter, getDeadLetterInput } from './handlers/get-dead-letter.js';
import { getMeta, getMetaInput } from './handlers/get-meta.js';
import { getPipeline, getPipelineInput } from './handlers/get-pipeline.js';
import { getPolicySections, getPolicySectionsInput } from './handlers/get-policy-sections.js';
import { getPolicyVersion, getPolicyVersionInput } from './handlers/get-policy-version.js';
import { listCases, listCasesInput } from './handlers/list-cases.js';
import { listDeadLetters, listDeadLettersInput } from './handlers/list-dead-letters.js';
import { listPlaybooks, listPlaybooksInput } from './handlers/list-playbooks.js';
import { listPolicies, listPoliciesInput } from './handlers/list-policies.js';
import { listQueues, listQueuesInput } from './handlers/list-queues.js';
import { redriveDeadLetters, redriveDeadLettersInput } from './handlers/redrive-dead-letters.js';
import { streamEvents, streamEventsInput } from './handlers/stream-events.js';
import { submitAlert, submitAlertInput } from './handlers/submit-alert.js';
import { route, type Route } from './http/route.js';

/** The ops API, below `/api/v1`. One handler a file in `handlers/`, one entry here. */
export const routes: readonly Route[] = [
  route({
    method: 'get',
    path: '/cases',
    summary: 'Cases, newest first',
    input: listCasesInput,
    answer:
      '{ cases, nextCursor }: each case with the facts of its newest run; nextCursor is null on the last page',
    handler: listCases,
  }),
  route({
    method: 'get',
    path: '/cases/{caseId}',
    summary: 'One case with everything on its record',
    input: getCaseInput,
    answer:
      'alerts and runs; each run with verdict, artifacts, evidence, gaps, toolCalls, interactions, trace and cost',
    handler: getCase,
  }),
  route({
    method: 'get',
    path: '/cases/{caseId}/alerts/{alertId}/image',
    summary: 'The image of an alert',
    input: getAlertImageInput,
    answer: 'The image as it was received',
    answers: 'image',
    handler: getAlertImage,
  }),
  route({
    method: 'post',
    path: '/alerts',
    summary: 'Take one alert in by hand',
    input: submitAlertInput,
    bodyShown: alertInputSchema,
    answer: '{ alertId, caseId, runId, joined }, as the ingest service answers. Header Idempotency-Key.',
    status: 202,
    handler: submitAlert,
  }),
  route({
    method: 'get',
    path: '/playbooks',
    summary: 'The kinds of case',
    input: listPlaybooksInput,
    answer: '{ playbooks }: each with its name, title, version, what an alert may consist of, and its tools',
    handler: listPlaybooks,
  }),
  route({
    method: 'get',
    path: '/policies',
    summary: 'The policies that were imported',
    input: listPoliciesInput,
    answer: '{ policies }: the current version of each, with its title, language, format, pages and sections',
    handler: listPolicies,
  }),
  route({
    method: 'get',
    path: '/policies/{policyId}/versions/{version}',
    summary: 'One version of a policy (or "current") with its tree of sections',
    input: getPolicyVersionInput,
    answer:
      'The version, currentVersion and nodes: each section with its title, parent, pages or lines and summary, without its text',
    handler: getPolicyVersion,
  }),
  route({
    method: 'get',
    path: '/policies/{policyId}/versions/{version}/sections',
    summary: 'Sections of a policy with their whole texts: ?ids=0001,0002',
    input: getPolicySectionsInput,
    answer: '{ policyId, version, sections, unknownNodes }, in the order of the document',
    handler: getPolicySections,
  }),
  route({
    method: 'get',
    path: '/pipeline',
    summary: 'What the pipeline does',
    input: getPipelineInput,
    answer:
      'stages and tools with depth, rate, oldest age and failures a lane; models of 24 hours, verdicts of the last hour, circuits, budgets, dead letters and backlog. A second old at most.',
    handler: getPipeline,
  }),
  route({
    method: 'get',
    path: '/meta',
    summary: 'What is running here',
    input: getMetaInput,
    answer: '{ version, provider, model, isSimulator, startedAt, capabilities }',
    handler: getMeta,
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
    answer:
      '{ deadLetters, nextCursor }: each with its kind, reason and, for an alert, the payload as it came, cut where it is long; newest first',
    handler: listDeadLetters,
  }),
  route({
    method: 'get',
    path: '/dead-letters/{letterId}',
    summary: 'One dead letter with its whole payload',
    input: getDeadLetterInput,
    answer: 'Its kind, reason and, for an alert, the payload as it came',
    handler: getDeadLetter,
  }),
  route({
    method: 'post',
    path: '/dead-letters/redrive',
    summary:
      'Send dead letters on their way again: { "ids": [...] }, { "filter": { q, reason } } or { "all": true }',
    input: redriveDeadLettersInput,
    answer: '{ results }: for each dead letter its kind and case, or the problem that keeps it where it is',
    handler: redriveDeadLetters,
  }),
  route({
    method: 'post',
    path: '/dead-letters/drop',
    summary: 'Give dead letters up: { "ids": [...] }',
    input: dropDeadLettersInput,
    answer: '{ results }: for each id its kind and case, or the problem that it is no dead letter',
    handler: dropDeadLetters,
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
