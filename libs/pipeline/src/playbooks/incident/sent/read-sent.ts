import { isObject, type Json, type JsonObject } from '@casefile/contracts';
import { GENERIC, GENERIC_LABELS } from './generic-names.js';
import { SENT_FIELDS, type SenderShape, type SentField } from './sender-shape.js';
import { SENDERS } from './senders.js';
import type { SeverityScale } from './severity.js';

/** What was read of an alert in its sender's own shape. Texts are as they were sent. */
export interface Sent {
  /** Name of the shape; `generic`: by the usual names of fields. */
  sender: string;
  name: string | null;
  summary: string | null;
  /** Every value that may give the severity, the most particular one first. */
  severities: string[];
  scale?: SeverityScale;
  /** Every value that may give the state. */
  statuses: string[];
  /** As it was sent: ISO 8601, or seconds or milliseconds since the epoch. */
  startsAt: string | null;
  links: string[];
  key: string | null;
  labels: Record<string, string>;
}

const MOST_TEXT = 10_000;
/** Objects that are searched for usual names, and how deep. */
const MOST_OBJECTS = 200;
const DEEPEST = 4;

/** Reads an alert in whatever shape its sender has. Fields that are not found are null or empty. */
export function readSent(body: JsonObject): Sent {
  const shape = SENDERS.find(({ recognisedBy }) =>
    pointers(recognisedBy).every((at) => exists(valueAt(body, at))),
  );
  if (shape === undefined) return generic(body);
  const inner = shape.unwraps === undefined ? null : unwrapped(valueAt(body, shape.unwraps));
  return inner === null ? byShape(shape, body) : readSent(inner);
}

function byShape(shape: SenderShape, body: JsonObject): Sent {
  const texts = (field: SentField): string[] =>
    pointers(shape.fields[field] ?? '').flatMap((at) => textsIn(valueAt(body, at)));
  const labelled = Object.entries(shape.labelled ?? {}).flatMap(([name, at]) => {
    const [text] = textsIn(valueAt(body, at));
    return text === undefined ? [] : [[name, text] as const];
  });
  const objects = pointers(shape.labels ?? '').map((at) => labelsIn(valueAt(body, at)));
  return {
    ...sentOf(
      shape.name,
      texts,
      Object.assign({}, ...objects, Object.fromEntries(labelled)) as Sent['labels'],
    ),
    ...(shape.scale === undefined ? {} : { scale: shape.scale }),
  };
}

/** By the usual names of fields, those of outer objects before those of inner ones. */
function generic(body: JsonObject): Sent {
  const objects = objectsIn(body).map(byPlainName);
  const valuesOf = (names: readonly string[]): string[] =>
    objects.flatMap((object) => names.flatMap((name) => textsIn(object.get(name))));
  const labels = objects.map((object) => labelsIn(object.get('labels') ?? object.get('tags')));
  const named = Object.entries(GENERIC_LABELS).flatMap(([label, names]) => {
    const [text] = valuesOf(names);
    return text === undefined ? [] : [[label, text] as const];
  });
  const all = Object.assign({}, Object.fromEntries(named), ...labels.reverse()) as Sent['labels'];
  return sentOf('generic', (field) => valuesOf(GENERIC[field]), all);
}

function sentOf(sender: string, texts: (field: SentField) => string[], labels: Sent['labels']): Sent {
  const [name, summary, severity, status, startsAt, links, key] = SENT_FIELDS.map(texts) as [
    string[],
    string[],
    string[],
    string[],
    string[],
    string[],
    string[],
  ];
  return {
    sender,
    name: name[0] ?? null,
    summary: summary[0] ?? null,
    severities: severity,
    statuses: status,
    startsAt: startsAt[0] ?? null,
    links: [...new Set(links.filter((link) => /^https?:\/\//.test(link)))].slice(0, 5),
    key: key[0] ?? null,
    labels,
  };
}

function unwrapped(value: Json | undefined): JsonObject | null {
  if (typeof value !== 'string' || !value.trimStart().startsWith('{')) return null;
  try {
    const inner = JSON.parse(value) as Json;
    return isObject(inner) ? (inner as JsonObject) : null;
  } catch {
    return null;
  }
}

/** The value at a JSON Pointer; undefined: there is none. */
function valueAt(body: JsonObject, pointer: string): Json | undefined {
  let value: Json | undefined = body;
  for (const part of pointer.split('/').slice(1)) {
    if (Array.isArray(value)) value = value[Number(part)];
    else if (isObject(value) && Object.hasOwn(value, part)) value = (value as JsonObject)[part];
    else return undefined;
  }
  return value;
}

const pointers = (list: string): string[] => list.split(' ').filter((pointer) => pointer !== '');
const exists = (value: Json | undefined): boolean => value !== undefined && value !== null && value !== '';

function textsIn(value: Json | undefined): string[] {
  if (typeof value === 'string') return value.trim() === '' ? [] : [value.trim().slice(0, MOST_TEXT)];
  if (typeof value === 'number') return [String(value)];
  if (!Array.isArray(value)) return [];
  const texts = value.filter((one) => typeof one === 'string' && one.trim() !== '').slice(0, 50);
  return texts.length === 0 ? [] : [texts.join(', ').slice(0, MOST_TEXT)];
}

/** Labels as an object of texts, a list of "name:value", or a list of pairs. */
function labelsIn(value: Json | undefined): Record<string, string> {
  if (Array.isArray(value)) return Object.fromEntries(value.slice(0, 64).flatMap(labelOf));
  if (!isObject(value)) return {};
  return Object.fromEntries(
    Object.entries(value)
      .slice(0, 64)
      .flatMap(([name, text]) => {
        const [first] = textsIn(text as Json);
        return first === undefined ? [] : [[name, first] as const];
      }),
  );
}

function labelOf(entry: Json): [string, string][] {
  if (typeof entry === 'string') {
    const [name = '', ...value] = entry.split(/[:=]/);
    return value.length === 0 || name === '' ? [] : [[name.trim(), value.join(':').trim()]];
  }
  if (Array.isArray(entry)) {
    const [name, value] = entry;
    return typeof name === 'string' && typeof value === 'string' ? [[name, value]] : [];
  }
  if (!isObject(entry)) return [];
  const { key, name, tag, value } = entry as JsonObject;
  const label = [key, name, tag].find((one) => typeof one === 'string');
  return typeof label === 'string' && typeof value === 'string' ? [[label, value]] : [];
}

/** The body and the objects in it, outer ones first. */
function objectsIn(body: JsonObject): JsonObject[] {
  const found: JsonObject[] = [body];
  let level: JsonObject[] = [body];
  for (let depth = 1; depth < DEEPEST && found.length < MOST_OBJECTS; depth += 1) {
    level = level
      .flatMap((object) => Object.values(object))
      .flatMap((value) => (Array.isArray(value) ? value.slice(0, 3) : [value]))
      .filter((value): value is JsonObject => isObject(value))
      .slice(0, MOST_OBJECTS - found.length);
    found.push(...level);
  }
  return found;
}

/** Fields by their names without case, blanks and signs: `Alert_Name`, `alertName` and `alert-name` are one. */
function byPlainName(object: JsonObject): Map<string, Json> {
  const named = new Map<string, Json>();
  for (const [name, value] of Object.entries(object)) {
    const plain = name
      .slice(0, 64)
      .toLowerCase()
      .replace(/[^a-z]/g, '');
    if (!named.has(plain)) named.set(plain, value);
  }
  return named;
}
