import {
  canonicalJson,
  isObject,
  SEVERITIES,
  z,
  type Alert,
  type AlertInput,
  type FieldProblem,
  type JsonObject,
  type Severity,
} from '@casefile/contracts';
import { inLine, plainText } from '../../plain-text.js';
import type { Occurrence, Prepared } from '../../playbook.js';

/** An alert of a monitoring system, as this kind works on it. */
export const incidentSchema = z.object({
  name: z.string(),
  severity: z.enum(SEVERITIES),
  labels: z.record(z.string(), z.string()),
  annotations: z.record(z.string(), z.string()),
  /** ISO 8601; null: the sender does not say. */
  startsAt: z.string().nullable(),
  /** Does the sender say that it is over? */
  resolved: z.boolean(),
  /** Alerts of the same post that its sender left out. */
  truncated: z.number(),
});
export type Incident = z.infer<typeof incidentSchema>;

const LABELS = 64;
const names = z.record(
  z.string().max(200),
  z.string({ error: 'expected a text' }).max(10_000, { error: 'expected at most 10000 characters' }),
  { error: 'expected an object of texts' },
);
/** What is read of an alert; whatever else it has stays on the record. */
const monitoredSchema = z.looseObject({
  // Some senders write null for none.
  labels: names.nullish(),
  annotations: names.nullish(),
  startsAt: z.string({ error: 'expected a time' }).max(64).optional(),
  endsAt: z.string({ error: 'expected a time' }).max(64).optional(),
  status: z.enum(['firing', 'resolved'], { error: 'expected "firing" or "resolved"' }).optional(),
  fingerprint: z.string({ error: 'expected a text' }).max(500).optional(),
});
type Monitored = z.infer<typeof monitoredSchema>;
const groupSchema = z.object({ truncatedAlerts: z.number() });

/** Is this the alert of a monitoring system? */
export function looksMonitored({ payload }: AlertInput): boolean {
  const alert = payload?.['alert'];
  return isObject(alert) && isObject(alert['labels']);
}

/** What is wrong with an alert; none: it can be worked on. S2-40. */
export function alertProblems({ text = '', payload }: AlertInput): FieldProblem[] {
  if (payload === undefined)
    return text.trim() === ''
      ? [{ path: 'text', message: 'expected a text, or the alert as payload.alert' }]
      : [];
  if (payload['alert'] === undefined) return [];
  const read = monitoredSchema.safeParse(payload['alert']);
  if (!read.success)
    return read.error.issues.map(({ path, message }) => ({
      path: ['payload', 'alert', ...path].join('.'),
      message,
    }));
  const { labels, annotations } = read.data;
  return Object.keys({ ...labels }).length + Object.keys({ ...annotations }).length > LABELS
    ? [{ path: 'payload.alert', message: `expected at most ${LABELS} labels and annotations` }]
    : [];
}

/** Which trouble an alert tells of: by the sender's own fingerprint, else by its labels. S2-40. */
export function occurrence({ payload }: AlertInput): Occurrence | null {
  const { fingerprint, labels, startsAt, status } = monitoredOf(payload);
  if (fingerprint === undefined && labels == null) return null;
  const key = fingerprint === undefined ? canonicalJson(labels) : `fingerprint ${fingerprint}`;
  return { key, startedAt: timeOf(startsAt), resolved: status === 'resolved' };
}

function timeOf(startsAt: string | undefined): string | null {
  const at = Date.parse(startsAt ?? '');
  return Number.isNaN(at) ? null : new Date(at).toISOString();
}

/** What triage makes of an alert. */
export function prepared(alert: Alert): Prepared {
  const incident = incidentOf(alert);
  return { text: textOf(incident, alert.text), input: incident as unknown as JsonObject, units: [] };
}

/** Reads an alert as it was taken in. */
export function incidentOf({ text = '', payload, labels: outer = {} }: AlertInput): Incident {
  const alert = monitoredOf(payload);
  const labels = { ...outer, ...alert.labels };
  const annotations = alert.annotations ?? {};
  const { data: group } = groupSchema.safeParse(payload?.['group']);
  return {
    name: nameOf(labels, text, payload),
    severity: severityOf(labels, [text, ...Object.values(annotations)].join('\n')),
    labels,
    annotations,
    startsAt: alert.startsAt ?? null,
    resolved: alert.status === 'resolved',
    truncated: group?.truncatedAlerts ?? 0,
  };
}

/** The alert of a payload; a payload without one has none of its fields. */
export function monitoredOf(payload: JsonObject | undefined): Monitored {
  const read = monitoredSchema.safeParse(payload?.['alert']);
  return read.success ? read.data : {};
}

function nameOf(labels: Record<string, string>, text: string, payload: JsonObject | undefined): string {
  const { alertname, rulename, title } = { ...labels };
  const given = payload?.['title'];
  const named = alertname ?? rulename ?? title ?? (typeof given === 'string' ? given : undefined);
  return inLine(named ?? text.trim().split('\n', 1)[0] ?? '', 120) || 'unnamed alert';
}

/** Words of senders for how bad it is. `high` and `major` are a step below the worst where they are used. */
const WORDS: Record<Severity, readonly string[]> = {
  critical: ['critical', 'crit', 'page', 'emergency', 'fatal', 'disaster', 'p0', 'p1', 'sev0', 'sev1'],
  warning: ['warning', 'warn', 'error', 'high', 'major', 'average', 'medium', 'p2', 'p3', 'sev2', 'sev3'],
  info: ['info', 'information', 'notice', 'low', 'minor', 'none', 'debug', 'p4', 'p5', 'sev4', 'sev5', 'ok'],
  unknown: [],
};
const LABELS_OF_SEVERITY = ['severity', 'priority', 'level', 'urgency'];
const IN_TEXT = /\b(critical|crit|emergency|p[0-5]|sev-?[0-5]|warning|warn)\b/i;

// What a label says goes before what a text says.
function severityOf(labels: Record<string, string>, text: string): Severity {
  const said = LABELS_OF_SEVERITY.map((name) => labels[name]).find((value) => value !== undefined);
  return severityNamed(said ?? IN_TEXT.exec(text.slice(0, 2_000))?.[1] ?? '');
}

function severityNamed(word: string): Severity {
  const said = word.trim().toLowerCase().replace('-', '');
  const found = Object.entries(WORDS).find(([, words]) => words.includes(said));
  return (found?.[0] as Severity | undefined) ?? 'unknown';
}

/** The alert as it is shown: in prompts, in the report and in lists. */
export function textOf(incident: Incident, text = ''): string {
  const { labels, annotations, startsAt, resolved, severity, name } = incident;
  const of = (pairs: Record<string, string>) =>
    Object.entries(pairs).map(([key, value]) => `${inLine(key, 100)}: ${inLine(value, 1_000)}`);
  return [
    `${name} (${severity}${resolved ? ', resolved' : ''})`,
    ...(startsAt === null ? [] : [`since ${inLine(startsAt, 64)}`]),
    ...of(annotations),
    ...of(labels),
    ...(text.trim() === '' ? [] : [plainText(text.trim())]),
  ].join('\n');
}
