import { InvalidInput, isObject, type FieldProblem, type Json, type JsonObject } from '@casefile/contracts';
import { isPresent, labelsIn, textsIn, valueAt } from '@casefile/pipeline';
import { createHash } from 'node:crypto';
import type { SettingsFile } from '../config/settings-schema.js';
import { REPORTED, type ConfiguredWebhook, type WebhookMapping } from '../config/webhook-settings.js';
import type { IntakeFormat, Post, ReadAlert } from './format.js';
import { readGroup, shortLabels } from './formats/alertmanager.js';
import { verifyProof } from './verify-proof.js';

export const CUSTOM_WEBHOOKS = '/v1/webhooks/custom';
/** Presets whose posts are groups of alerts. */
const GROUPS = ['alertmanager', 'grafana'];
const MOST_LINKS = 5;

/** Returns the format of a webhook of the settings: how to verify and read its posts. */
export function customWebhook(webhook: ConfiguredWebhook): IntakeFormat {
  const { name, preset, proof } = webhook;
  return {
    name: `custom/${name}`,
    path: `${CUSTOM_WEBHOOKS}/${name}`,
    source: name,
    takesPlainText: true,
    ...(preset !== undefined && GROUPS.includes(preset) ? { isBatch: true } : {}),
    signature: { verify: (post, secret, now) => verifyProof(proof, post, secret, now) },
    read: (post, settings) => readPost(webhook, post, settings),
  };
}

function readPost(
  webhook: ConfiguredWebhook,
  { body }: Post,
  { maxBatch }: SettingsFile['intake'],
): ReadAlert[] {
  const { name, playbook, preset } = webhook;
  if (preset !== undefined && GROUPS.includes(preset) && isObject(body) && Array.isArray(body['alerts']))
    return readGroup(body, { source: name, maxBatch }).map((read) =>
      byWebhook(name, 'alert' in read ? { ...read, alert: { playbook, ...read.alert } } : read),
    );
  const bodies: unknown[] = Array.isArray(body) ? body : [body];
  if (bodies.length === 0 || bodies.length > maxBatch)
    throw new InvalidInput([{ path: '', message: `expected 1 to ${maxBatch} alerts` }], 'post');
  return bodies.map((one) => byWebhook(name, readBody(webhook, one)));
}

function byWebhook(name: string, read: ReadAlert): ReadAlert {
  if (!('alert' in read)) return read;
  const why = `The setting webhooks.${name}.playbook names it.`;
  return { ...read, chosenBy: { rule: 'setting', why } };
}

function readBody({ name, playbook, preset, mapping }: ConfiguredWebhook, sent: unknown): ReadAlert {
  if (!isObject(sent)) return { sent, problems: [{ path: '', message: 'expected a JSON object' }] };
  const body = sent as JsonObject;
  const of = { playbook, source: name };
  if (mapping === undefined)
    return {
      alert: { ...of, payload: { alert: body, webhook: { name, reads: preset ?? 'generic' } } },
    };
  const { deliveryId, ...fields } = mappedFields(mapping, body);
  if (Object.keys(fields).length === 0) return { sent, problems: missingValues(mapping) };
  const key = createHash('sha256').update(String(deliveryId)).digest('hex');
  return {
    alert: { ...of, ...mappedAlert(name, fields, body) },
    ...(deliveryId === undefined ? {} : { idempotencyKey: `custom/${name}:${key}` }),
  };
}

type Fields = Partial<Record<keyof WebhookMapping, Json>>;

/** Returns the value of each field whose pointers match. */
function mappedFields(mapping: WebhookMapping, body: JsonObject): Fields {
  const entries = Object.entries(mapping).flatMap(([field, at]): [string, Json][] => {
    if (at === undefined) return [];
    const value = Array.isArray(at) ? firstValue(body, at, field) : namedValues(body, at);
    return value === undefined ? [] : [[field, value]];
  });
  return Object.fromEntries(entries);
}

/** Fields that become texts, whatever their JSON type. */
const TEXTS = [
  'name',
  'summary',
  'severity',
  'status',
  'startsAt',
  'key',
  'text',
  'conversation',
  'deliveryId',
];

function firstValue(body: JsonObject, pointers: readonly string[], field: string): Json | undefined {
  const values = pointers.map((at) => valueAt(body, at)).filter(isPresent);
  if (!TEXTS.includes(field)) return values[0];
  return values.map(asText).find((text) => text !== undefined);
}

// Returns a value as text. A string is not shortened, because it may be the message to judge.
const asText = (value: Json): string | undefined => (typeof value === 'string' ? value : textsIn(value)[0]);

function namedValues(
  body: JsonObject,
  pointersByName: Record<string, readonly string[]>,
): JsonObject | undefined {
  const entries = Object.entries(pointersByName).flatMap(([name, pointers]): [string, Json][] => {
    const value = pointers.map((at) => valueAt(body, at)).find(isPresent);
    return value === undefined ? [] : [[name, value]];
  });
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

function mappedAlert(name: string, fields: Fields, body: JsonObject): JsonObject {
  const { text, image, conversation, payload, labels } = fields;
  const own = { text, image, conversation, payload };
  const present = Object.fromEntries(Object.entries(own).filter(([, value]) => value !== undefined));
  const reported = REPORTED.filter((field) => fields[field] !== undefined);
  if (reported.length === 0) return present as JsonObject;
  const alertLabels = labels === undefined ? undefined : labelsIn(labels);
  const alert = {
    ...Object.fromEntries(reported.map((field) => [field, fields[field] as Json])),
    ...(fields.links === undefined ? {} : { links: linksIn(fields.links) }),
    ...(alertLabels === undefined ? {} : { labels: alertLabels }),
  };
  return {
    ...(present as JsonObject),
    ...(alertLabels === undefined ? {} : { labels: shortLabels(alertLabels) }),
    payload: { alert, sent: body, webhook: { name, reads: 'mapped' } },
  };
}

function linksIn(value: Json): string[] {
  const links = Array.isArray(value) ? value : [value];
  return links.flatMap(textsIn).slice(0, MOST_LINKS);
}

function missingValues({ deliveryId: _, ...fields }: WebhookMapping): FieldProblem[] {
  return Object.entries(fields).flatMap(([field, at]) => {
    const pointers = at === undefined ? [] : Array.isArray(at) ? at : Object.values(at).flat();
    return pointers.length === 0
      ? []
      : [{ path: field, message: `expected a value at ${pointers.join(' or ')}` }];
  });
}
