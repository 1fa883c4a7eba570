import {
  acceptedAlertSchema,
  acceptedBatchSchema,
  ignoredAlertSchema,
  MOST_REPORTS,
  recordedFeedbackSchema,
  recordedReportsSchema,
  reportedFeedbackSchema,
  alertInputSchema,
  jsonObjectSchema,
  submitQuerySchema,
  z,
  type AcceptedAlert,
  type AcceptedBatch,
  type RecordedFeedback,
} from '@casefile/contracts';
import { intakeAddresses, type AskedAt } from '@casefile/pipeline';
import type { Config } from '../config/read-config.js';
import { idempotencyHeader, factOpenApi, type ApiOperation } from '../nest/openapi.js';
import { askedQuerySchema } from './wait-for-verdict.js';
import { CUSTOM_WEBHOOKS } from './custom-webhook.js';
import type { ShippedFormat } from './format.js';
import { intakeFormats } from './formats/index.js';

const accepted: AcceptedAlert = {
  alertId: '01900000-0000-7000-8000-000000000003',
  caseId: '01900000-0000-7000-8000-000000000001',
  runId: '01900000-0000-7000-8000-000000000002',
  joined: false,
};
const batch: AcceptedBatch = { results: [{ index: 0, ...accepted }] };
/**
 * Returns the OpenAPI 3.1 document of the intake.
 * @param config Supplies the most alerts per request, and the kinds of case. The first example alert of a
 * kind is shown.
 * @param server URL of the intake for readers of the document.
 */
export function intakeDocument(
  { settings, kinds, playbooks }: Pick<Config, 'settings' | 'kinds' | 'playbooks'>,
  server = '/',
): ReturnType<typeof factOpenApi> {
  const { maxBatch } = settings.intake;
  const alert = kinds.find(({ example }) => example !== null)?.example?.alert ?? { text: 'Is this real?' };
  return factOpenApi(
    {
      title: 'Casefile intake',
      description: 'Accepts alerts. An alert that was answered with 202 is stored and cannot get lost.',
      server,
      tags: {
        alerts: 'One alert or a batch of alerts.',
        webhooks: 'Webhooks of alert senders.',
        feedback: 'What other systems found out about verdicts.',
      },
    },
    [
      {
        method: 'post',
        path: '/v1/alerts',
        operationId: 'submitAlerts',
        tag: 'alerts',
        status: 202,
        summary: `Accept one alert or a batch of up to ${maxBatch}`,
        answer:
          'Accepted. For a batch: the result of each alert, by position; an invalid alert does not affect the others.',
        response: z.union([acceptedAlertSchema, ignoredAlertSchema, acceptedBatchSchema]),
        examples: {
          one: { summary: 'To one alert', value: accepted },
          batch: { summary: 'To a batch', value: batch },
        },
        headers: idempotencyHeader,
        query: submitQuerySchema,
        body: z.union([alertInputSchema, z.array(alertInputSchema).min(1).max(maxBatch)]),
        bodyExamples: {
          one: { summary: 'A message', value: alert },
          batch: { summary: 'Two alerts', value: [alert, { ...alert, text: 'Call me back' }] },
        },
        problems: [400, 422, 429, 503],
      },
      ...intakeFormats.map(shippedFormatPost),
      customOperation,
      feedbackOperation,
      ...playbooks.flatMap(({ intake }) => intakeAddresses(intake).map(askedOf)),
    ],
  );
}

function askedOf({ path, summary, body, example, answer }: AskedAt): ApiOperation {
  return {
    method: 'post',
    path,
    operationId: `ask-${path.split('/').at(-1) ?? ''}`,
    tag: 'alerts',
    status: 200,
    summary,
    answer: 'The result. If something failed, the result reports it.',
    response: answer.extend({ caseId: z.string() }),
    later: {
      answer:
        'The question is stored and its run continues: the wait ended, or the service stops. The case will have the result.',
      response: z.object({ caseId: z.string() }),
      examples: { one: { summary: 'The case', value: { caseId: accepted.caseId } } },
    },
    headers: idempotencyHeader,
    query: askedQuerySchema,
    body,
    bodyExamples: { one: { summary: 'A question', value: example } },
    problems: [400, 422, 429, 503],
  };
}

const POST_ANSWER =
  'The result of each alert, by position. An invalid alert becomes a dead letter, and so does a request with an invalid envelope. A resolved alert without an earlier firing opens no case.';

const customOperation: ApiOperation = {
  method: 'post',
  path: `${CUSTOM_WEBHOOKS}/{name}`,
  operationId: 'post-custom',
  tag: 'webhooks',
  status: 202,
  summary: 'Accept a request of a sender that the settings describe (section `webhooks`)',
  answer: POST_ANSWER,
  response: acceptedBatchSchema,
  examples: { one: { summary: 'To a post of one alert', value: batch } },
  params: z.object({ name: z.string().describe('The name of the webhook in the settings.') }),
  body: z.union([jsonObjectSchema, z.array(jsonObjectSchema).min(1)]),
  bodyExamples: {
    one: { summary: 'One alert', value: { job: 'nightly-db', state: 'failed', error: 'disk full' } },
  },
  problems: [400, 401, 404, 422, 429, 503],
};

const report = {
  idempotencyKey: 'sms-4711',
  event: 'chargeback',
  outcome: { riskLevel: 'high' },
  by: 'payments',
  at: '2026-03-02T10:00:00Z',
};
const recorded: RecordedFeedback = {
  caseId: accepted.caseId,
  runId: accepted.runId,
  agrees: false,
  repeated: false,
};
const feedbackOperation: ApiOperation = {
  method: 'post',
  path: '/v1/feedback',
  operationId: 'reportFeedback',
  tag: 'feedback',
  status: 202,
  summary: `Report what came after verdicts, one report or up to ${MOST_REPORTS}`,
  answer:
    'Recorded as an answer to the verdict of the case. A repeated report changes nothing. 404 `unknown_case`, 409 `conflict`: the case is unknown or has no verdict yet; the report is kept as a dead letter.',
  response: z.union([recordedFeedbackSchema, recordedReportsSchema]),
  examples: { one: { summary: 'To one report', value: recorded } },
  body: z.union([reportedFeedbackSchema, z.array(reportedFeedbackSchema).min(1).max(MOST_REPORTS)]),
  bodyExamples: { one: { summary: 'A chargeback', value: report } },
  problems: [400, 404, 409, 429, 503],
};

function shippedFormatPost({ name, path, summary, body, example, signature }: ShippedFormat): ApiOperation {
  return {
    method: 'post',
    path,
    operationId: `post-${name}`,
    tag: 'webhooks',
    status: 202,
    summary,
    answer: POST_ANSWER,
    response: acceptedBatchSchema,
    examples: { one: { summary: 'To a post of one alert', value: batch } },
    body,
    bodyExamples: { one: { summary: 'One alert', value: example } },
    problems: signature === undefined ? [400, 429, 503] : [400, 401, 422, 429, 503],
  };
}
