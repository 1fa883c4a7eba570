import {
  acceptedAlertSchema,
  alertInputSchema,
  caseListSchema,
  deadLetterListSchema,
  deadLetterResultsSchema,
  engagementDetailsSchema,
  engagementListSchema,
  givenSignalSchema,
  playbookListSchema,
  raisedBudgetSchema,
  redrivenDeadLetterSchema,
  shownCaseSchema,
  shownDeadLetterSchema,
} from '@casefile/contracts';
import { idempotencyHeader } from '@casefile/runtime';
import { closeEngagement, closeEngagementInput } from './handlers/close-engagement.js';
import { dropDeadLetters, dropDeadLettersInput } from './handlers/drop-dead-letters.js';
import { getAlertImage, getAlertImageInput } from './handlers/get-alert-image.js';
import { getCase, getCaseInput } from './handlers/get-case.js';
import { getDeadLetter, getDeadLetterInput } from './handlers/get-dead-letter.js';
import { getEngagement, getEngagementInput } from './handlers/get-engagement.js';
import { giveSignal, giveSignalInput } from './handlers/give-signal.js';
import { listCases, listCasesInput } from './handlers/list-cases.js';
import { listDeadLetters, listDeadLettersInput } from './handlers/list-dead-letters.js';
import { listEngagements, listEngagementsInput } from './handlers/list-engagements.js';
import { listPlaybooks, listPlaybooksInput } from './handlers/list-playbooks.js';
import { raiseBudget, raiseBudgetInput } from './handlers/raise-budget.js';
import { redriveDeadLetter, redriveDeadLetterInput } from './handlers/redrive-dead-letter.js';
import { redriveDeadLetters, redriveDeadLettersInput } from './handlers/redrive-dead-letters.js';
import { streamEvents, streamEventsInput } from './handlers/stream-events.js';
import { submitAlert, submitAlertInput } from './handlers/submit-alert.js';
import { route } from './http/route.js';
import { knowledgeRoutes } from './knowledge-routes.js';
import { operationRoutes } from './operation-routes.js';
import { rerunRoutes } from './rerun-routes.js';

/** The ops API, below `/api/v1`. One handler a file in `handlers/`, one entry here. */
export const routes = [
  route({
    method: 'get',
    path: '/cases',
    tag: 'cases',
    summary: 'Cases, newest first',
    input: listCasesInput,
    answer: '{ cases, nextCursor }: each case with the facts of its newest run; null on the last page',
    response: caseListSchema,
    handler: listCases,
  }),
  route({
    method: 'get',
    path: '/cases/{caseId}',
    tag: 'cases',
    summary: 'One case with everything on its record',
    input: getCaseInput,
    answer: 'alerts; runs with verdict, artifacts, evidence, gaps, toolCalls, interactions, trace and cost',
    response: shownCaseSchema,
    handler: getCase,
  }),
  route({
    method: 'get',
    path: '/cases/{caseId}/alerts/{alertId}/image',
    tag: 'cases',
    summary: 'The image of an alert',
    input: getAlertImageInput,
    answer: 'The image as it was received',
    response: 'image/*',
    handler: getAlertImage,
  }),
  route({
    method: 'post',
    path: '/cases/{caseId}/signals/{name}',
    tag: 'cases',
    summary: 'Answer what a run of the case asks and waits for: { "option": "..." }',
    input: giveSignalInput,
    problems: [404, 409],
    answer: '{ runId, signal, repeated }: the question with the option that was chosen; the run goes on',
    response: givenSignalSchema,
    handler: giveSignal,
  }),
  route({
    method: 'post',
    path: '/cases/{caseId}/budget',
    tag: 'cases',
    summary: 'Raise the budget that a run of the case waits for: { "usd": 0.5 } or { "tokens": 5000 }',
    input: raiseBudgetInput,
    problems: [404, 409],
    answer:
      '{ runId, key, window, limit, spent }: the run goes on where it stopped, and pays for nothing twice',
    response: raisedBudgetSchema,
    handler: raiseBudget,
  }),
  route({
    method: 'post',
    path: '/alerts',
    tag: 'alerts',
    summary: 'Take one alert in by hand',
    input: submitAlertInput,
    shown: { headers: idempotencyHeader, body: alertInputSchema },
    problems: [422],
    answer: 'The alert is on the record, as the intake answers it',
    status: 202,
    response: acceptedAlertSchema,
    handler: submitAlert,
  }),
  route({
    method: 'get',
    path: '/playbooks',
    tag: 'pipeline',
    summary: 'The kinds of case',
    input: listPlaybooksInput,
    answer: '{ playbooks }: each with its name, title, version, what an alert may consist of, and its tools',
    response: playbookListSchema,
    handler: listPlaybooks,
  }),
  ...rerunRoutes,
  ...knowledgeRoutes,
  ...operationRoutes,
  route({
    method: 'get',
    path: '/history/sessions',
    operationId: 'listSessions',
    tag: 'cases',
    summary: 'The same as /cases, under the name that clients of such systems use',
    input: listCasesInput,
    answer: 'As /cases answers',
    response: caseListSchema,
    handler: listCases,
  }),
  route({
    method: 'get',
    path: '/history/sessions/{caseId}',
    operationId: 'getSession',
    tag: 'cases',
    summary: 'The same as /cases/{caseId}, under the name that clients of such systems use',
    input: getCaseInput,
    answer: 'As /cases/{caseId} answers',
    response: shownCaseSchema,
    handler: getCase,
  }),
  route({
    method: 'get',
    path: '/events',
    tag: 'cases',
    summary: 'What happens, as it happens (also over the WebSocket /ws?lastEventId=)',
    input: streamEventsInput,
    answer:
      'Server-sent events { id, type, caseId, runId, data, at }. With Last-Event-ID everything after that event first; with lastEventId=0 everything there is.',
    response: 'text/event-stream',
    handler: streamEvents,
  }),
  route({
    method: 'get',
    path: '/engagements',
    tag: 'engagements',
    summary: 'Engagement sessions, the one with the newest message first',
    input: listEngagementsInput,
    answer: '{ engagements, nextCursor }: each session as its newest message left it; also closed ones',
    response: engagementListSchema,
    handler: listEngagements,
  }),
  route({
    method: 'get',
    path: '/engagements/{engagementId}',
    tag: 'engagements',
    summary: 'One engagement session with its newest messages',
    input: getEngagementInput,
    answer: 'How it stands, and its newest 100 messages, newest first',
    response: engagementDetailsSchema,
    handler: getEngagement,
  }),
  route({
    method: 'post',
    path: '/engagements/{engagementId}/close',
    tag: 'engagements',
    summary: 'Close an engagement session; a later message of its conversation opens it again',
    input: closeEngagementInput,
    answer: 'The session as it stands now',
    response: engagementDetailsSchema,
    handler: closeEngagement,
  }),
  route({
    method: 'get',
    path: '/dead-letters',
    tag: 'dead letters',
    summary: 'Work that waits for a person',
    input: listDeadLettersInput,
    answer: '{ deadLetters, nextCursor }, newest first: kind, reason, of an alert its raw payload, cut',
    response: deadLetterListSchema,
    handler: listDeadLetters,
  }),
  route({
    method: 'get',
    path: '/dead-letters/{letterId}',
    tag: 'dead letters',
    summary: 'One dead letter with its whole payload',
    input: getDeadLetterInput,
    answer:
      'Its kind, reason and, for an alert, the raw payload; also of an alert that was edited and accepted',
    response: shownDeadLetterSchema,
    handler: getDeadLetter,
  }),
  route({
    method: 'post',
    path: '/dead-letters/redrive',
    tag: 'dead letters',
    summary: 'Send dead letters on their way again: { "ids": [...] }, { "filter": {...} } or { "all": true }',
    input: redriveDeadLettersInput,
    answer: '{ results }: for each dead letter its kind and case, or the problem that keeps it where it is',
    response: deadLetterResultsSchema,
    handler: redriveDeadLetters,
  }),
  route({
    method: 'post',
    path: '/dead-letters/{letterId}/redrive',
    tag: 'dead letters',
    summary: 'Send one dead letter on its way again, with an edited alert: { "alert": {...} }',
    input: redriveDeadLetterInput,
    problems: [404, 409, 422],
    answer: '{ id, kind, caseId }. 400 names each field of the alert that is wrong, as the intake does',
    response: redrivenDeadLetterSchema,
    handler: redriveDeadLetter,
  }),
  route({
    method: 'post',
    path: '/dead-letters/drop',
    tag: 'dead letters',
    summary: 'Give dead letters up: { "ids": [...] }',
    input: dropDeadLettersInput,
    answer: '{ results }: for each id its kind and case, or the problem that it is no dead letter',
    response: deadLetterResultsSchema,
    handler: dropDeadLetters,
  }),
];
