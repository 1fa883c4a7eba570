import { CONDITION_SEVERITIES } from '@casefile/contracts';

const HEADERS = [
  ['webhook-id', 'The `deliveryId`. It is the same in every attempt.'],
  ['webhook-timestamp', 'Time of the attempt, in seconds since the epoch.'],
  [
    'webhook-signature',
    'Signature of Standard Webhooks (`v1,...`). Absent if the destination has no secret.',
  ],
] as const;

const text = { type: 'string' };

const verdictFields = {
  caseId: text,
  runId: text,
  playbook: text,
  lane: text,
  verdict: { $ref: '#/components/schemas/Verdict' },
  replaces: { ...text, description: 'Run whose verdict this one replaces. Absent: it replaces none.' },
  acknowledgeLink: {
    ...text,
    description: 'Link by which a person acknowledges the page, if the destination has `acknowledgeLink`.',
  },
};
const conditionFields = {
  condition: {
    type: 'object',
    required: ['id', 'severity', 'since', 'text', 'effect', 'act', 'link', 'openedAt', 'closedAt'],
    properties: {
      id: { ...text, description: 'As on the page of conditions, such as `provider_out`.' },
      severity: { type: 'string', enum: CONDITION_SEVERITIES },
      since: { type: ['string', 'null'], format: 'date-time', description: 'Beginning of the cause.' },
      text: { ...text, description: 'The problem, in one sentence.' },
      effect: { ...text, description: 'Effect on cases.' },
      act: { ...text, description: 'What to do.' },
      link: { ...text, description: 'Path of the page of the console that shows more.' },
      openedAt: {
        type: 'string',
        format: 'date-time',
        description: 'Equal in the opening and the closing message.',
      },
      closedAt: { type: ['string', 'null'], format: 'date-time', description: 'null: it is open.' },
    },
  },
};
const reviewFields = {
  ...verdictFields,
  review: {
    type: 'object',
    required: ['since', 'withinHours'],
    properties: {
      since: { type: 'string', format: 'date-time', description: 'Time of the verdict.' },
      withinHours: { type: ['number', 'null'], description: 'Hours within which an answer is due.' },
    },
  },
};

/** Events of a webhook, with the fields of `data` that not every event has. */
export const WEBHOOK_EVENTS: Readonly<Record<string, { summary: string; fields: Record<string, object> }>> = {
  'verdict.decided': { summary: 'A verdict is delivered', fields: verdictFields },
  'condition.opened': { summary: 'A condition of the installation opened', fields: conditionFields },
  'condition.closed': { summary: 'A condition of the installation closed', fields: conditionFields },
  'review.needed': { summary: 'A verdict waits for a reviewer', fields: reviewFields },
  'review.overdue': { summary: 'A verdict has waited for a reviewer for too long', fields: reviewFields },
  'delivery.failing': { summary: 'Another destination accepts nothing', fields: conditionFields },
};

/**
 * Returns the `webhooks` of OpenAPI 3.1: the requests that the decision service sends to destinations of type
 * `webhook`, with `format: standard`.
 */
export function outboundWebhooks(): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(WEBHOOK_EVENTS).map(([type, { summary }]) => [type, { post: operation(type, summary) }]),
  );
}

function operation(type: string, summary: string): object {
  return {
    operationId: type.replace(/[.](\w)/, (_dot, letter: string) => letter.toUpperCase()),
    summary: `${summary} (to a destination of type webhook)`,
    description:
      'Delivered at least once; drop duplicates by `deliveryId`. A test of the destination has the type `destination.test`.',
    parameters: HEADERS.map(([name, description]) => ({
      name,
      in: 'header',
      required: name !== 'webhook-signature',
      description,
      schema: text,
    })),
    requestBody: {
      required: true,
      content: { 'application/json': { schema: messageSchema(type) } },
    },
    responses: {
      '2XX': { description: 'Received.' },
      '410': { description: 'The receiver is gone: the destination is paused.' },
      default: { description: 'Any other status is a failure, and the delivery is attempted again.' },
    },
  };
}

/** Returns the JSON Schema of a message of `format: standard`. @param event Type of the message. */
export function messageSchema(event = 'verdict.decided') {
  const data = {
    deliveryId: text,
    ...WEBHOOK_EVENTS[event]?.fields,
    title: text,
    text: { ...text, description: 'What is broken, since when, why, and what to do first.' },
    link: { ...text, description: 'Address of the case, or of a page of the console.' },
  };
  return {
    type: 'object',
    required: ['type', 'timestamp', 'data'],
    properties: {
      type: { type: 'string', enum: [event, 'destination.test'] },
      timestamp: { type: 'string', format: 'date-time' },
      data: { type: 'object', required: ['deliveryId', 'title', 'text'], properties: data },
    },
  };
}
