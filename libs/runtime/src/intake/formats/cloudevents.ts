import { createHash } from 'node:crypto';
import {
  fieldProblems,
  InvalidInput,
  isObject,
  jsonObjectSchema,
  z,
  type Json,
  type JsonObject,
} from '@casefile/contracts';
import { Webhook } from 'standardwebhooks';
import type { SettingsFile } from '../../config/settings-schema.js';
import { BadSignature, type ShippedFormat, type Post, type ReadAlert } from '../format.js';

const eventSchema = z.looseObject({
  specversion: z.literal('1.0', { error: 'expected 1.0' }),
  id: z.string({ error: 'expected text' }).min(1).max(1_000),
  source: z.string({ error: 'expected text' }).min(1).max(1_000),
  type: z.string({ error: 'expected text' }).min(1).max(1_000),
  data: z
    .record(z.string(), z.unknown(), { error: 'expected an alert as POST /v1/alerts takes it, as JSON' })
    .describe('An alert as `POST /v1/alerts` takes it.'),
});

const BATCH = 'application/cloudevents-batch+json';
const STRUCTURED = 'application/cloudevents+json';

/**
 * CloudEvents 1.0 over HTTP: structured, binary (headers `ce-*`) and batch. The data of each is an alert of
 * `POST /v1/alerts`. `source` and `id` identify a repeated event. For a signed event in binary mode,
 * `webhook-id` does.
 */
export const cloudEvents: ShippedFormat = {
  name: 'cloudevents',
  path: '/v1/cloudevents',
  summary: 'Accept CloudEvents whose data is an alert: structured, binary or a batch',
  body: z.union([
    eventSchema,
    z.array(eventSchema).min(1),
    jsonObjectSchema.describe('The data of one event whose attributes are headers `ce-*`.'),
  ]),
  example: {
    specversion: '1.0',
    id: 'A234-1234',
    source: '/monitoring/probes',
    type: 'com.example.probe.failed',
    data: { text: 'The probe of api.example has failed three times' },
  },
  signature: { secret: 'CASEFILE_WEBHOOK_SECRET', verify },
  read: (post, settings, isSigned) => {
    const events = postEvents(post, settings.maxBatch);
    return isSigned && isBinary(post)
      ? [readSigned(post, events[0], settings)]
      : events.map((event) => readEvent(event, settings));
  },
};

const postMediaType = ({ headers }: Post) =>
  headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
const isBinary = (post: Post) => ![BATCH, STRUCTURED].includes(postMediaType(post));

function postEvents(post: Post, maxBatch: number): unknown[] {
  const { body, headers } = post;
  const type = postMediaType(post);
  if (type === BATCH) {
    if (Array.isArray(body) && body.length > 0 && body.length <= maxBatch) return body;
    throw new InvalidInput([{ path: '', message: `expected 1 to ${maxBatch} events` }], 'batch');
  }
  if (type === STRUCTURED) return [body];
  if (headers['ce-specversion'] === undefined)
    throw new InvalidInput(
      [
        {
          path: 'Content-Type',
          message: `expected ${STRUCTURED}, ${BATCH}, or the headers ce-specversion, ce-id, ce-source and ce-type`,
        },
      ],
      'header',
    );
  const [specversion, id, source, of] = ['specversion', 'id', 'source', 'type'].map((name) =>
    decoded(headers[`ce-${name}`]),
  );
  return [{ specversion, id, source, type: of, data: body }];
}

// Values of headers are percent-encoded.
function decoded(value: string | string[] | undefined): string | undefined {
  if (typeof value !== 'string') return undefined;
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

function readEvent(sent: unknown, { cloudEventTypes }: SettingsFile['intake']): ReadAlert {
  const parsed = eventSchema.safeParse(sent);
  if (!parsed.success) return { sent, problems: fieldProblems(parsed.error) };
  const { id, source, type, data } = parsed.data;
  const kind = Object.hasOwn(cloudEventTypes, type) ? cloudEventTypes[type] : undefined;
  const own = source.length <= 200 ? { source } : {};
  const alert = { ...own, ...(kind === undefined ? {} : { playbook: kind }), ...data } as JsonObject;
  const key = createHash('sha256')
    .update(JSON.stringify([source, id]))
    .digest('hex');
  const why = `The setting intake.cloudEventTypes names it for the type ${type}.`;
  const chosenBy =
    kind === undefined || data['playbook'] !== undefined ? undefined : { rule: 'setting' as const, why };
  return {
    alert,
    idempotencyKey: `cloudevents:${key}`,
    ...(chosenBy === undefined ? {} : { chosenBy }),
  };
}

/**
 * Reads a signed event in binary mode. The headers `ce-*` and the content type are not signed. The signed
 * `webhook-id` therefore identifies a repeat. A body that is itself an event was not signed as the data of
 * another event.
 */
function readSigned({ body, headers }: Post, event: unknown, settings: SettingsFile['intake']): ReadAlert {
  const signedPart = (body ?? null) as Json;
  if (isObject(body) && Object.hasOwn(body, 'specversion')) {
    const message = `expected ${STRUCTURED}: the signed body is a whole event`;
    return { sent: body, problems: [{ path: 'Content-Type', message }], signedPart };
  }
  const key = createHash('sha256').update(String(headers['webhook-id'])).digest('hex');
  return { ...readEvent(event, settings), idempotencyKey: `webhook:${key}`, signedPart };
}

// The library compares in constant time, and accepts posts up to five minutes old.
function verify({ raw, headers }: Post, secret: string): void {
  const webhookHeaders = Object.entries(headers).flatMap(([name, value]) =>
    name.startsWith('webhook-') && typeof value === 'string' ? [[name, value]] : [],
  );
  try {
    const body = Buffer.from(raw).toString();
    new Webhook(secret).verify(body, Object.fromEntries(webhookHeaders) as Record<string, string>, {
      jsonParse: false,
    });
  } catch {
    throw new BadSignature(
      'the headers webhook-id, webhook-timestamp and webhook-signature of Standard Webhooks, signed with the secret within the last five minutes',
    );
  }
}
