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
import { inLine, plainText } from '@casefile/pipeline/plain-text';
import type { PreparedPayload } from '@casefile/pipeline/parts/from-payload';
import type { Occurrence } from '@casefile/pipeline/parts/intake';
import { expressionIn } from './sent/expression-in.js';
import { detailLines } from './sent/details.js';
import { nameInText, titleInText } from './sent/name-in-text.js';
import type { Identity } from './sent/identity.js';
import { isCalledCritical } from './sent/outage-in-text.js';
import { sinceInText } from '@casefile/pipeline/reading/index';
import { readExpected, readSent, readSentAs, type SentFields } from './sent/read-sent.js';
import { severityInText, severityOfValue } from './sent/severity.js';
import {
  ALERT_STATES,
  hasRecoveryMark,
  isRemark,
  levelOfValues,
  stateInLines,
  subjectInLines,
  tellingState,
  textStateIn,
  stateOfValue,
  stateOfValues,
  TEXT_STATES,
  type AlertState,
  type TextState,
} from './sent/state.js';

/** An alert of a monitoring system, in the form that this playbook uses. */
export const incidentSchema = z.object({
  name: z.string(),
  severity: z.enum(SEVERITIES),
  labels: z.record(z.string(), z.string()),
  annotations: z.record(z.string(), z.string()),
  /** ISO 8601 if the sender states it so; null: not stated. */
  startsAt: z.string().nullable(),
  /** Whether the sender reports the alert as resolved. */
  resolved: z.boolean(),
  /**
   * State of the alert. A test message, or a rule that could not be evaluated, is neither firing nor
   * resolved.
   */
  state: z.enum(ALERT_STATES).default('firing'),
  /** What the words of the text say, if no status field gives the state. null: neither. Words close no alert. */
  textState: z.enum(TEXT_STATES).nullable().default(null),
  /** Whether a field of the sender gives the name, and not the text. */
  isNamed: z.boolean().default(true),
  /** Description of the problem, if annotations contain none. */
  summary: z.string().default(''),
  links: z.array(z.string()).default([]),
  /** Expression of the rule that fired, as its monitoring system states it; null: not stated. */
  expression: z.string().nullable().default(null),
  /** Further values of the sender's body, one per line. */
  details: z.array(z.string()).default([]),
  /** Number of alerts that the sender left out of the same post. */
  truncated: z.number(),
});
export type Incident = z.infer<typeof incidentSchema>;

const LABELS = 64;
const MOST_TEXT = 10_000;
const groupSchema = z.object({ truncatedAlerts: z.number() });
/** Keys next to `payload.alert` that intake adds; they are shown elsewhere or are other alerts. */
const KNOWN_FIELDS = ['alert', 'title', 'group', 'alerts', 'labels', 'webhook'];
/**
 * Part of a payload from a webhook of the settings: how its alert is read. With `mapped`, the body is
 * `payload.sent`.
 */
const webhookSchema = z.object({ reads: z.string() });

/** Returns whether this is the alert of a monitoring system: of a known sender, or with a name and a severity or state. */
export function looksMonitored({ payload }: AlertInput): boolean {
  if (payload === undefined) return false;
  const { sender, name, severities, statuses } = sentIn(payload);
  return sender !== 'generic' || (name !== null && severities.length + statuses.length > 0);
}

/** Returns the problems of an alert; none: it can be processed. */
export function alertProblems({ text = '', payload }: AlertInput): FieldProblem[] {
  if (payload === undefined)
    return text.trim() === ''
      ? [{ path: 'text', message: 'expected a text, or the alert as payload.alert' }]
      : [];
  const body = payloadBody(payload);
  const path = body === payload ? 'payload' : 'payload.alert';
  const reads = readsOf(payload);
  if (reads !== null && readSentAs(body, reads) === null)
    return [{ path, message: `expected a post of ${reads}, which has ${readExpected(reads)}` }];
  const { name, summary, labels, asksToOpen } = sentIn(payload);
  if (asksToOpen !== null)
    return [{ path, message: 'the sender asks to confirm this address: open its SubscribeURL once' }];
  const annotations = textFields(body['annotations']);
  const given = titleOf(payload) ?? name ?? summary;
  if (given === null && text.trim() === '' && Object.keys({ ...labels, ...annotations }).length === 0)
    return [
      {
        path: `${path}.title`,
        message:
          'nothing in it can be read: expected a title, name, summary, message or labels, for example { "title": "Checkout is down", "severity": "critical" }',
      },
    ];
  const long = Object.entries({ ...labels, ...annotations }).find(([, value]) => value.length > MOST_TEXT);
  if (long !== undefined)
    return [{ path: `${path}.${long[0]}`, message: `expected at most ${MOST_TEXT} characters` }];
  const own = isObject(body['labels']) ? Object.keys(body['labels']).length : 0;
  return own + Object.keys(annotations).length > LABELS
    ? [{ path, message: `expected at most ${LABELS} labels and annotations` }]
    : [];
}

/**
 * Returns the occurrence that an alert reports, identified by the sender's own id, else by stable parts of the alert;
 * null: nothing in it distinguishes it.
 */
export function occurrence(alert: AlertInput): Occurrence | null {
  const { payload, text = '', source = '' } = alert;
  const { state, textState, severity, name, labels } = readIncident(alert);
  const report = {
    related: { group: payload === undefined ? null : groupIn(payload), name, labels },
    resolved: state === 'resolved',
    ...(state === 'remark' ? { remark: true } : {}),
    // A mark of recovery without a status field closes no incident, and it is no alert. A sentence about a recovery
    // may stand in an alert that fires.
    ...(state === 'firing' && textState === 'resolved' && isMarkedRecovered(alert)
      ? { joinsOnly: true }
      : {}),
  };
  if (payload === undefined) {
    const subject = subjectInLines(text);
    if (subject === null) return null;
    const key = `lines ${source} ${canonicalJson(subject)}`;
    const joinedBy = Object.keys(subject).join(', ');
    return {
      key,
      startedAt: null,
      ...report,
      grade: { severity, level: 'firing', affected: null },
      joinedBy,
    };
  }
  const sent = sentIn(payload);
  const grade = { severity, level: levelOfValues(sent.statuses), affected: affectedIn(payload) };
  if (sent.sender === 'monitored-alert') {
    const key = sent.key === null ? canonicalJson(sent.labels) : `fingerprint ${sent.key}`;
    const joinedBy = sent.key === null ? 'labels' : 'fingerprint';
    return { key, startedAt: startsAtTime(sent.startsAt), ...report, grade, joinedBy };
  }
  const identity = identityOf(sent, source);
  if (identity === null) return null;
  const { key, joinedBy, isIncident } = identity;
  // The time of a resolved alert is ignored: many senders state the time of the message, which would look
  // like another start.
  const startedAt = report.resolved || !isIncident ? null : startsAtTime(sent.begins);
  return { key: `${sent.sender} ${key}`, startedAt, ...report, grade, joinedBy };
}

function isMarkedRecovered({ payload, text = '' }: AlertInput): boolean {
  const titles = payload === undefined ? [] : titlesOf(sentIn(payload), payload);
  return [...titles, text.trim().split('\n', 1)[0] ?? ''].some(hasRecoveryMark);
}

function identityOf({ key, sender, name, labels, identity }: SentFields, source: string): Identity | null {
  if (key !== null) return { key, joinedBy: 'id of the sender', isIncident: true };
  if (sender === 'mapped')
    return { key: canonicalJson([name, labels]), joinedBy: 'name, labels', isIncident: true };
  // Ids without a known format are unique only among the alerts of one source.
  return identity === null ? null : { ...identity, key: `${source} ${identity.key}` };
}

// Number of alerts that fire now, if the body lists several.
const groupAlertsSchema = z.array(z.looseObject({ status: z.string() }));

function affectedIn(payload: JsonObject): number | null {
  const { data: members } = groupAlertsSchema.safeParse(payload['alerts']);
  const firing = members?.filter(({ status }) => status === 'firing').length ?? 0;
  return firing === 0 ? null : firing;
}

/** Labels of a group that say nothing about a cause. */
const WITHOUT_CAUSE = /^(?:severity|priority|level|urgency|receiver|team|env|environment|cluster|region)$/i;

// Alertmanager and Grafana name a group by its route and its labels. Alerts that share only such labels are unrelated.
function groupIn({ group }: JsonObject): string | null {
  if (!isObject(group)) return null;
  const { data: key } = z.string().max(MOST_TEXT).safeParse(group['groupKey']);
  const labels = textFields(group['groupLabels']);
  const names = Object.keys(labels).length > 0 ? Object.keys(labels) : labelNamesIn(key ?? '');
  if (names.every((name) => WITHOUT_CAUSE.test(name))) return null;
  return key ?? canonicalJson(labels);
}

// `{}/{team="a"}:{alertname="X", service="y"}`: the labels of the group follow the last `:{`.
function labelNamesIn(key: string): string[] {
  const of = key.slice(key.lastIndexOf(':{') + 1);
  return [...of.matchAll(/([\w-]{1,100})="/g)].map(([, name = '']) => name);
}

/** Returns the result of triage for an alert. */
export function prepareIncident(alert: Alert): PreparedPayload {
  const read = readIncident(alert);
  const incident = alert.payload === undefined ? { ...read, ...readPlain(alert, read) } : read;
  return { text: incidentText(incident, alert.text), input: incident as unknown as JsonObject, units: [] };
}

/**
 * Reads an alert that is only a text: a short title, severity words of many languages, and its start time.
 */
function readPlain({ text = '', receivedAt }: Alert, read: Incident): Partial<Incident> {
  const title = inLine(titleInText(text) ?? '', 120);
  const since = sinceInText(text, receivedAt);
  const isUnzoned = since !== null && since.value === null;
  return {
    ...(title === '' || Object.hasOwn(read.labels, 'alertname') ? {} : { name: title }),
    ...(read.severity === 'unknown' && isCalledCritical(text) ? { severity: 'critical' } : {}),
    ...(since === null || since.value === null || read.startsAt !== null ? {} : { startsAt: since.value }),
    ...(isUnzoned ? { details: [...read.details, `since, without a time zone: ${since.said}`] } : {}),
  };
}

const NO_PAYLOAD: JsonObject = {};
/** Labels that give the name. */
const ALERT_NAMES = ['alertname', 'rulename', 'title'];

/** Reads an alert as accepted by intake. */
export function readIncident({ text = '', payload = NO_PAYLOAD, labels: outer = {} }: AlertInput): Incident {
  const body = payloadBody(payload);
  const sent = sentIn(payload);
  const labels = { ...outer, ...sent.labels };
  const annotations = textFields(body['annotations']);
  const words = [text, sent.summary ?? '', ...Object.values(annotations)].join('\n');
  const severity = sentFieldSeverity(sent, labels, words);
  const said = text === '' ? words : text;
  const given = sentFieldState(sent) ?? stateInLines(said);
  const state = given ?? 'firing';
  const { data: group } = groupSchema.safeParse(payload['group']);
  const annotated = Object.values(annotations);
  return {
    name: sentName(sent, labels, text, payload),
    severity,
    labels,
    annotations,
    startsAt: startsAtTime(sent.startsAt) === null ? null : (toIso(sent.startsAt) ?? sent.startsAt),
    resolved: state === 'resolved',
    state,
    textState: given === null ? saidState([...titlesOf(sent, payload), said], severity) : null,
    isNamed: payload !== NO_PAYLOAD || ALERT_NAMES.some((name) => Object.hasOwn(labels, name)),
    summary: summaryOf(sent, annotated),
    links: sent.links,
    expression: expressionIn(body['generatorURL']),
    details: payloadDetails(payload, body),
    truncated: group?.truncatedAlerts ?? 0,
  };
}

// A failed run or a check that is down often has no other words than its state.
function summaryOf({ summary, statuses }: SentFields, annotated: readonly string[]): string {
  if (summary !== null) return annotated.includes(summary) ? '' : summary;
  if (annotated.length > 0) return '';
  const state = tellingState(statuses);
  return state === null ? '' : `Its sender reports: ${inLine(state, 60)}`;
}

function titlesOf({ name }: SentFields, payload: JsonObject): string[] {
  return [name, titleOf(payload)].filter((title) => title !== null);
}

function saidState(texts: readonly string[], severity: Severity): TextState | null {
  const states = texts.map((text) => textStateIn(text, severity === 'critical'));
  return states.find((state) => state !== null) ?? null;
}

/** The alert in a payload: `payload.alert`, or the payload itself. */
function payloadBody(payload: JsonObject): JsonObject {
  const alert = payload['alert'];
  // Some senders use an object named `alert` inside their own format, which is not the whole alert.
  if (!isObject(alert) || isObject(payload['event']) || payload['action'] !== undefined) return payload;
  return isObject(payload['webhook']) || isWholeAlert(alert as JsonObject) ? (alert as JsonObject) : payload;
}

function isWholeAlert(alert: JsonObject): boolean {
  const { name, summary, labels } = readSent(alert);
  return (
    name !== null ||
    summary !== null ||
    Object.keys({ ...labels, ...textFields(alert['annotations']) }).length > 0
  );
}

function readsOf({ alert, webhook }: JsonObject): string | null {
  const { data } = webhookSchema.safeParse(webhook);
  return isObject(alert) ? (data?.reads ?? null) : null;
}

function sentIn(payload: JsonObject): SentFields {
  const body = payloadBody(payload);
  const reads = readsOf(payload);
  return (reads === null ? null : readSentAs(body, reads)) ?? readSent(body);
}

function payloadDetails(payload: JsonObject, body: JsonObject): string[] {
  if (body === payload) return detailLines(payload);
  const { sent } = payload;
  if (readsOf(payload) === 'mapped') return isObject(sent) ? detailLines(sent as JsonObject) : [];
  const others = Object.entries(payload).filter(([name]) => !KNOWN_FIELDS.includes(name));
  return [...detailLines(body), ...detailLines(Object.fromEntries(others))];
}

function textFields(value: unknown): Record<string, string> {
  if (!isObject(value)) return {};
  const texts = Object.entries(value).map(([name, text]) => [
    name,
    typeof text === 'number' ? String(text) : text,
  ]);
  return Object.fromEntries(texts.filter(([, text]) => typeof text === 'string')) as Record<string, string>;
}

function sentName(sent: SentFields, labels: Incident['labels'], text: string, payload: JsonObject): string {
  const label = ALERT_NAMES.flatMap((name) => labels[name] ?? [])[0];
  const mapped = sent.sender === 'mapped' ? sent.name : null;
  const named = mapped ?? label ?? sent.name ?? titleOf(payload) ?? nameInText(text);
  return inLine(named ?? sent.summary ?? '', 120) || 'unnamed alert';
}

function titleOf({ title }: JsonObject): string | null {
  return typeof title === 'string' && title.trim() !== '' ? title : null;
}

const LABELS_OF_SEVERITY = ['severity', 'priority', 'level', 'urgency'];

// A field of the sender is more exact than a label, and a label is more exact than words of a text.
function sentFieldSeverity(
  { severities, scale }: SentFields,
  labels: Incident['labels'],
  text: string,
): Severity {
  const labelled = LABELS_OF_SEVERITY.flatMap((name) => labels[name] ?? []);
  // "ALERT_RECOVERY" is a state, although it has a word of severity.
  const isState = (value: string) => /[a-z][^a-z]+[a-z]/i.test(value) && stateOfValue(value) === 'resolved';
  const levels = [...severities, ...labelled]
    .filter((value) => !isState(value))
    .map((value) => severityOfValue(value, scale));
  return levels.find((level) => level !== 'unknown') ?? severityInText(text);
}

/** Alert names of Grafana for a rule that could not be evaluated. */
const NO_DATA = ['DatasourceError', 'DatasourceNoData'];

function sentFieldState({ name, statuses, labels }: SentFields): AlertState | null {
  if (isRemark(statuses)) return 'remark';
  const state = stateOfValues(statuses);
  if (state === 'resolved') return state;
  if (/^test\s?alert$/i.test(name ?? '')) return 'test';
  return NO_DATA.includes(labels['alertname'] ?? '') ? 'no-data' : state;
}

/** ISO 8601 of a time in seconds or milliseconds since the epoch; null: not such a time. */
function toIso(startsAt: string | null): string | null {
  const [, seconds, rest] = /^(\d{10})(\d{3})?(?:\.\d+)?$/.exec(startsAt ?? '') ?? [];
  return seconds === undefined ? null : new Date(Number(seconds) * 1000 + Number(rest ?? 0)).toISOString();
}

function startsAtTime(startsAt: string | null): string | null {
  const at = Date.parse(toIso(startsAt) ?? startsAt ?? '');
  return Number.isNaN(at) ? null : new Date(at).toISOString();
}

/** Renders the alert for prompts, the report and lists. */
export function incidentText(incident: Incident, text = ''): string {
  const { labels, annotations, startsAt, state, severity, name, summary, links, details } = incident;
  const of = (pairs: Record<string, string>) =>
    Object.entries(pairs).map(([key, value]) => `${inLine(key, 100)}: ${inLine(value, 1_000)}`);
  return [
    `${name} (${severity}${state === 'firing' ? '' : `, ${state}`})`,
    ...(startsAt === null ? [] : [`since ${inLine(startsAt, 64)}`]),
    ...(summary === '' || summary === name ? [] : [plainText(summary.trim())]),
    ...of(annotations),
    ...of(labels),
    ...links.map((link) => `link: ${inLine(link, 500)}`),
    ...details,
    ...(text.trim() === '' ? [] : [plainText(text.trim())]),
  ].join('\n');
}
