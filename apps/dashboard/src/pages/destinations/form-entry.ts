import type { DestinationEntry, DestinationType, ShownDestination } from '@casefile/contracts';

/** Fields of the form as a person types them. */
export interface DestinationFields {
  name: string;
  type: DestinationType;
  url: string;
  secret: string;
  channel: string;
  format: string;
  /** One header per line: `name: value`. */
  headers: string;
  body: string;
  contentType: string;
  /** Events to receive. */
  events: string[];
  /** Ids of conditions, separated by commas. */
  condition: string;
  conditionSeverity: string[];
  /** Kinds of case. */
  playbook: string[];
  disposition: string[];
  /** Severities, separated by commas. */
  severity: string;
  confidence: string;
  /** One label per line: `name=value`. */
  labels: string;
  allowPrivate: boolean;
  acknowledgeLink: boolean;
  escalateTo: string;
  afterSeconds: string;
  acknowledgeWithinSeconds: string;
  testCron: string;
  testTimezone: string;
  reason: string;
}
export type DestinationField = keyof DestinationFields;

/** Types that have a field. A field that is not listed belongs to every type. */
const ONLY: Partial<Record<DestinationField, readonly DestinationType[]>> = {
  channel: ['slack'],
  format: ['webhook'],
  headers: ['webhook', 'template'],
  body: ['template'],
  contentType: ['template'],
};

/** Returns whether destinations of this type have the field. */
export function hasField(type: DestinationType, field: DestinationField): boolean {
  return ONLY[field]?.includes(type) ?? true;
}

export const EMPTY: DestinationFields = {
  name: '',
  type: 'webhook',
  url: '',
  secret: '',
  channel: '',
  format: '',
  headers: '',
  body: '',
  contentType: '',
  events: ['verdict'],
  condition: '',
  conditionSeverity: [],
  playbook: [],
  disposition: [],
  severity: '',
  confidence: '',
  labels: '',
  allowPrivate: false,
  acknowledgeLink: false,
  escalateTo: '',
  afterSeconds: '',
  acknowledgeWithinSeconds: '',
  testCron: '',
  testTimezone: '',
  reason: '',
};

const linesIn = (pairs: Record<string, string> | undefined, between: string): string =>
  Object.entries(pairs ?? {})
    .map(([name, value]) => `${name}${between}${value}`)
    .join('\n');

const numberText = (value: number | undefined): string => (value === undefined ? '' : String(value));

/** Returns the fields of an added destination. Its URL stays empty, because the API does not return it. */
export function shownFields({ name, entry }: Pick<ShownDestination, 'name' | 'entry'>): DestinationFields {
  if (entry === null) return { ...EMPTY, name };
  const { type, when, allowPrivate, secret, channel, format, headers, body, contentType } = entry;
  return {
    ...EMPTY,
    name,
    type,
    allowPrivate,
    acknowledgeLink: entry.acknowledgeLink ?? false,
    escalateTo: entry.escalateTo ?? '',
    afterSeconds: numberText(entry.afterSeconds),
    acknowledgeWithinSeconds: numberText(entry.acknowledgeWithinSeconds),
    testCron: entry.testCron ?? '',
    testTimezone: entry.testTimezone ?? '',
    secret: secret ?? '',
    channel: channel ?? '',
    format: format ?? '',
    headers: linesIn(headers, ': '),
    body: body ?? '',
    contentType: contentType ?? '',
    events: [...(when.events ?? EMPTY.events)],
    condition: (when.condition ?? []).join(', '),
    conditionSeverity: [...(when.conditionSeverity ?? [])],
    playbook: [...(when.playbook ?? [])],
    disposition: [...(when.disposition ?? [])],
    severity: (when.severity ?? []).join(', '),
    confidence: numberText(when.confidence),
    labels: linesIn(when.labels, '='),
  };
}

/** Returns the body for the API. The server checks it and names each wrong field. */
export function fieldsEntry(fields: DestinationFields): DestinationEntry {
  const { type, playbook, severity, disposition, confidence, labels, allowPrivate } = fields;
  const text = (
    field:
      | 'url'
      | 'secret'
      | 'channel'
      | 'format'
      | 'body'
      | 'contentType'
      | 'escalateTo'
      | 'testCron'
      | 'testTimezone',
  ): object => {
    const value = field === 'body' ? fields.body : fields[field].trim();
    return value.trim() === '' || !hasField(type, field) ? {} : { [field]: value };
  };
  const seconds = (field: 'afterSeconds' | 'acknowledgeWithinSeconds'): object =>
    fields[field].trim() === '' ? {} : { [field]: Number(fields[field]) };
  const headers = hasField(type, 'headers') ? pairsIn(fields.headers, ':') : {};
  const { events, condition, conditionSeverity } = fields;
  const when = {
    // Without events, a destination receives verdicts only.
    ...(events.join() === EMPTY.events.join() ? {} : chosen('events', events)),
    ...(events.includes('condition')
      ? { ...listed('condition', condition), ...chosen('conditionSeverity', conditionSeverity) }
      : {}),
    ...chosen('playbook', playbook),
    ...listed('severity', severity),
    ...chosen('disposition', disposition),
    ...(confidence.trim() === '' ? {} : { confidence: Number(confidence) }),
    ...(labels.trim() === '' ? {} : { labels: pairsIn(labels, '=') }),
  };
  return {
    type,
    ...text('url'),
    ...text('secret'),
    ...text('channel'),
    ...text('format'),
    ...text('body'),
    ...text('contentType'),
    ...text('escalateTo'),
    ...seconds('afterSeconds'),
    ...seconds('acknowledgeWithinSeconds'),
    ...text('testCron'),
    ...text('testTimezone'),
    ...(Object.keys(headers).length === 0 ? {} : { headers }),
    when,
    allowPrivate,
    ...(fields.acknowledgeLink ? { acknowledgeLink: true } : {}),
  } as DestinationEntry;
}

function listed(name: string, text: string): object {
  const values = text
    .split(',')
    .map((value) => value.trim())
    .filter((value) => value !== '');
  return values.length === 0 ? {} : { [name]: values };
}

function chosen(name: string, values: readonly string[]): object {
  return values.length === 0 ? {} : { [name]: values };
}

// A line without the separator is a name with an empty value, so that the server names it.
function pairsIn(text: string, between: string): Record<string, string> {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return Object.fromEntries(
    lines.map((line) => {
      const at = line.indexOf(between);
      const name = at < 0 ? line : line.slice(0, at);
      return [name.trim(), at < 0 ? '' : line.slice(at + 1).trim()];
    }),
  );
}

/** Problems of a request by the field of the form; `form`: of none of its fields. */
export type FieldProblems = Partial<Record<DestinationField | 'form', string>>;

/** Returns the problems that the API named by the path of a field, such as `destination.when.labels.team`. */
export function problemsByField(problems: readonly { path: string; message: string }[]): FieldProblems {
  const byField: FieldProblems = {};
  for (const { path, message } of problems) {
    const parts = path.split('.').filter((part) => part !== 'destination' && part !== 'when');
    const [field = ''] = parts;
    const key = Object.hasOwn(EMPTY, field) ? (field as DestinationField) : 'form';
    const inner = key === 'form' ? path : parts.slice(1).join('.');
    const words = inner === '' ? message : `${inner}: ${message}`;
    byField[key] = byField[key] === undefined ? words : `${byField[key]}; ${words}`;
  }
  return byField;
}
