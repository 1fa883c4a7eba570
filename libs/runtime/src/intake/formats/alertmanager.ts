import {
  fieldProblems,
  instantSchema,
  parseInput,
  z,
  type FieldProblem,
  type JsonObject,
} from '@casefile/contracts';
import type { SettingsFile } from '../../config/settings-schema.js';
import type { ShippedFormat, ReadAlert } from '../format.js';

const texts = z.record(z.string(), z.string());

/** One alert of a group, as posted by Alertmanager and Grafana. Its other fields are kept. */
export const groupedAlertSchema = z.looseObject({
  status: z.enum(['firing', 'resolved'], { error: 'expected firing or resolved' }),
  labels: texts,
  annotations: texts.nullish(),
  startsAt: instantSchema,
  endsAt: z.string().optional().describe('0001-01-01T00:00:00Z while it fires.'),
  generatorURL: z.string().optional(),
  fingerprint: z.string().min(1).optional(),
});

/** A group of alerts that were sent in one notification. */
const groupSchema = z.looseObject({
  receiver: z.string().optional(),
  groupKey: z.string().optional(),
  groupLabels: texts.nullish(),
  commonLabels: texts.nullish(),
  commonAnnotations: texts.nullish(),
  externalURL: z.string().optional(),
  truncatedAlerts: z.int().min(0).optional().describe('Alerts that the sender left out of the post.'),
});
const OF_GROUP = Object.keys(groupSchema.shape);

/**
 * A post of a group. Grafana has used version 1 and version 4 for the same format, so the fields are checked,
 * not the version.
 */
export const groupPostSchema = groupSchema.extend({
  version: z.string().optional(),
  alerts: z.array(groupedAlertSchema).min(1),
});

/**
 * Limit for a group stored with each of its alerts, in characters of JSON. Labels of a larger group are
 * omitted.
 */
const MOST_GROUP_CHARACTERS = 16_384;
/** Limits for an alert's own labels. */
const MOST_LABEL = { name: 100, value: 1_000 };

/**
 * Returns the alerts of a webhook's group, each with its group.
 * @throws InvalidInput if the group itself is wrong, or has no alert or more than `maxBatch`.
 */
export function readGroup(
  body: unknown,
  { source, maxBatch }: { source: string } & Pick<SettingsFile['intake'], 'maxBatch'>,
): ReadAlert[] {
  const bounds = `expected 1 to ${maxBatch} alerts`;
  const post = parseInput(
    groupPostSchema.extend({
      alerts: z.array(z.unknown()).min(1, { error: bounds }).max(maxBatch, { error: bounds }),
    }),
    body,
    'post',
  );
  const group = postGroup(post as JsonObject);
  const read = post.alerts.map((sent, index): GroupedAlert | Wrong => {
    const parsed = groupedAlertSchema.safeParse(sent);
    if (!parsed.success) return { sent, problems: at(index, fieldProblems(parsed.error)) };
    return parsed.data as GroupedAlert;
  });
  return read.map((one) => (isWrong(one) ? one : { alert: sourceAlert(source, one, { group }) }));
}

type GroupedAlert = z.infer<typeof groupedAlertSchema> & JsonObject;
type Wrong = Extract<ReadAlert, { sent: unknown }>;

function isWrong(one: GroupedAlert | Wrong): one is Wrong {
  return 'problems' in one && 'sent' in one;
}

function sourceAlert(source: string, alert: GroupedAlert, more: JsonObject): JsonObject {
  const title = alertTitle(alert);
  const payload = { alert, ...more, ...(title === '' ? {} : { title }) };
  return { source, labels: shortLabels(alert.labels), payload };
}

function at(index: number, problems: FieldProblem[]): FieldProblem[] {
  return problems.map(({ path, message }) => ({
    path: path === '' ? `alerts[${index}]` : `alerts[${index}].${path}`,
    message,
  }));
}

function postGroup(post: JsonObject): JsonObject {
  const group = Object.fromEntries(
    Object.entries(post).filter(([key, value]) => OF_GROUP.includes(key) && value !== undefined),
  );
  if (JSON.stringify(group).length <= MOST_GROUP_CHARACTERS) return group;
  // Each alert has its own labels. Labels of the group would be stored again with each alert, so they are
  // left out.
  const { receiver, groupKey, externalURL, truncatedAlerts } = group;
  const cut = (text: unknown) => (typeof text === 'string' ? text.slice(0, 1_000).toWellFormed() : null);
  return {
    receiver: cut(receiver),
    groupKey: cut(groupKey),
    externalURL: cut(externalURL),
    truncatedAlerts: truncatedAlerts ?? 0,
    leftOut: 'its labels and annotations',
  };
}

function alertTitle({ labels, annotations }: z.infer<typeof groupedAlertSchema>): string {
  const parts = [labels['alertname'], annotations?.['summary']].map((text) => text?.trim() ?? '');
  return parts.filter((text) => text !== '').join(': ');
}

/** Returns the labels that an alert of `POST /v1/alerts` can have. */
export function shortLabels(labels: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(labels).filter(
      ([name, value]) => name.length <= MOST_LABEL.name && value.length <= MOST_LABEL.value,
    ),
  );
}

/** Example of a group that Alertmanager and Grafana post alike. */
export const exampleGroup: JsonObject = {
  receiver: 'casefile',
  status: 'firing',
  alerts: [
    {
      status: 'firing',
      labels: { alertname: 'DiskFull', instance: 'db-1:9100', severity: 'critical' },
      annotations: { summary: 'The disk of db-1 is full' },
      startsAt: '2026-01-05T10:00:00Z',
      endsAt: '0001-01-01T00:00:00Z',
      generatorURL: 'http://prometheus.example:9090/graph',
      fingerprint: 'b5ad2f7f0e2c3a41',
    },
  ],
  groupLabels: { alertname: 'DiskFull' },
  commonLabels: { alertname: 'DiskFull', severity: 'critical' },
  commonAnnotations: {},
  externalURL: 'http://alertmanager.example:9093',
  groupKey: '{}:{alertname="DiskFull"}',
  truncatedAlerts: 0,
};

/** The webhook of Prometheus Alertmanager, version 4. It signs nothing. */
export const alertmanager: ShippedFormat = {
  name: 'alertmanager',
  path: '/v1/webhooks/alertmanager',
  source: 'alertmanager',
  summary: 'Accept a group of alerts of Alertmanager',
  body: groupPostSchema,
  example: { version: '4', ...exampleGroup },
  isBatch: true,
  read: ({ body }, { maxBatch }) => readGroup(body, { source: 'alertmanager', maxBatch }),
};
