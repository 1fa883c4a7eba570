import {
  acceptedAlertSchema,
  acceptedBatchSchema,
  alertInputSchema,
  submitQuerySchema,
  z,
  type AcceptedAlert,
  type AcceptedBatch,
} from '@casefile/contracts';
import type { Config } from '../config/read-config.js';
import { idempotencyHeader, openApiOf } from '../nest/openapi.js';

const accepted: AcceptedAlert = {
  alertId: '01900000-0000-7000-8000-000000000003',
  caseId: '01900000-0000-7000-8000-000000000001',
  runId: '01900000-0000-7000-8000-000000000002',
  joined: false,
};
const batch: AcceptedBatch = { results: [{ index: 0, ...accepted }] };
/**
 * The OpenAPI 3.1 document of the intake.
 * @param config how many alerts one request may hold, and the kinds of case: an alert of the first that has one is shown.
 * @param server where it listens, as whoever reads the document reaches it.
 */
export function intakeDocument(
  { settings, playbooks }: Pick<Config, 'settings' | 'playbooks'>,
  server = '/',
): ReturnType<typeof openApiOf> {
  const { maxBatch } = settings.intake;
  const alert = playbooks.find(({ example }) => example !== undefined)?.example?.alert;
  return openApiOf(
    {
      title: 'Casefile intake',
      description: 'Takes alerts in. What was answered 202 is on the record and is not lost.',
      server,
      tags: { alerts: 'Alerts, one or many at once.' },
    },
    [
      {
        method: 'post',
        path: '/v1/alerts',
        operationId: 'submitAlerts',
        tag: 'alerts',
        status: 202,
        summary: `Take in one alert, or a batch of up to ${maxBatch}`,
        answer:
          'Taken in. For a batch: what became of each, by its place; one that is wrong does not keep the others out.',
        response: z.union([acceptedAlertSchema, acceptedBatchSchema]),
        examples: {
          one: { summary: 'To one alert', value: accepted },
          batch: { summary: 'To a batch', value: batch },
        },
        headers: idempotencyHeader,
        query: submitQuerySchema,
        body: z.union([alertInputSchema, z.array(alertInputSchema).min(1).max(maxBatch)]),
        bodyExamples: alert && {
          one: { summary: 'A message', value: alert },
          batch: { summary: 'Two at once', value: [alert, { ...alert, text: 'Call me back' }] },
        },
        problems: [400, 422, 503],
      },
    ],
  );
}
