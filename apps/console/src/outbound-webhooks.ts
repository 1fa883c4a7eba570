const HEADERS = [
  ['webhook-id', 'The `deliveryId`. It is the same in every attempt.'],
  ['webhook-timestamp', 'Time of the attempt, in seconds since the epoch.'],
  [
    'webhook-signature',
    'Signature of Standard Webhooks (`v1,...`). Absent if the destination has no secret.',
  ],
] as const;

const text = { type: 'string' };

/**
 * Returns the `webhooks` of OpenAPI 3.1: the requests that the decision service sends to destinations of type
 * `webhook`, with `format: standard`.
 */
export function outboundWebhooks(): Record<string, unknown> {
  return {
    'verdict.decided': {
      post: {
        operationId: 'verdictDecided',
        summary: 'A verdict is delivered to a destination of type webhook',
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
          content: { 'application/json': { schema: messageSchema() } },
        },
        responses: {
          '2XX': { description: 'Received.' },
          '410': { description: 'The receiver is gone: the destination is paused.' },
          default: { description: 'Any other status is a failure, and the delivery is attempted again.' },
        },
      },
    },
  };
}

/** Returns the JSON Schema of a message of `format: standard`. */
export function messageSchema() {
  const data = {
    deliveryId: text,
    caseId: text,
    runId: text,
    playbook: text,
    lane: text,
    verdict: { $ref: '#/components/schemas/Verdict' },
    title: text,
    text: { ...text, description: 'What is broken, since when, why, and what to do first.' },
    link: { ...text, description: 'Address of the case in the console.' },
  };
  return {
    type: 'object',
    required: ['type', 'timestamp', 'data'],
    properties: {
      type: { type: 'string', enum: ['verdict.decided', 'destination.test'] },
      timestamp: { type: 'string', format: 'date-time' },
      data: { type: 'object', required: ['deliveryId', 'title', 'text'], properties: data },
    },
  };
}
