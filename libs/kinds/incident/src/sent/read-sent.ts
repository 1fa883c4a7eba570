import { isObject, type Json, type JsonObject } from '@casefile/contracts';
import { isPresent, labelsIn, textsIn, valueAt } from '@casefile/pipeline/sent-values';
import { chatCard } from './chat-card.js';
import { GENERIC, GENERIC_LABELS, isNameOfRule, RULE_OBJECTS, START_NAMES } from './generic-names.js';
import { identityIn, type Identity } from './identity.js';
import { pairsIn } from './pairs.js';
import { SENT_FIELDS, type SenderShape, type SentField } from './sender-shape.js';
import { SENDERS } from './senders.js';
import type { SeverityScale } from './severity.js';
import { opensWithRecovery } from './state.js';

/** Fields read from an alert in its sender's own format. Texts are unchanged. */
export interface SentFields {
  /** Name of the shape; `generic`: by the usual names of fields. */
  sender: string;
  name: string | null;
  summary: string | null;
  /** Every value that may give the severity, the most specific first. */
  severities: string[];
  scale?: SeverityScale;
  /** Every value that may give the state. */
  statuses: string[];
  /** Unchanged: ISO 8601, or seconds or milliseconds since the epoch. */
  startsAt: string | null;
  links: string[];
  /** Start of the occurrence. null: not stated, or `startsAt` may be the time of the message. */
  begins: string | null;
  /** The sender's own id of the incident. */
  key: string | null;
  /** Other parts by which later alerts join the case. null: none. */
  identity: Identity | null;
  labels: Record<string, string>;
  /** The link by which the sender asks to confirm its subscription; null: it sends alerts. */
  asksToOpen: string | null;
}

/** An alert whose fields were named by the mapping of a webhook. */
const MAPPED: SenderShape = {
  name: 'mapped',
  documented: 'docs/integrate/webhooks.md',
  recognisedBy: '',
  fields: {
    name: '/name',
    summary: '/summary',
    severity: '/severity',
    status: '/status',
    startsAt: '/startsAt',
    links: '/links/0 /links/1 /links/2 /links/3 /links/4',
    key: '/key',
  },
  labels: '/labels',
};

/** Objects that are searched for usual names, and how deep. */
const MOST_OBJECTS = 200;
const DEEPEST = 4;

/** Returns the fields of an alert, read by the shape of its body. Missing fields are null or empty. */
export function readSent(body: JsonObject): SentFields {
  const shape = SENDERS.find(fits(body));
  if (shape !== undefined) return byShape(shape, body);
  const card = chatCard(body);
  return byUsualNames(card === null ? body : { ...body, ...card });
}

/**
 * Returns the fields of an alert that names its format: one of `PRESETS`, or `mapped`. Returns null if the
 * body has none of the shapes of that sender.
 */
export function readSentAs(body: JsonObject, reads: string): SentFields | null {
  if (reads === 'mapped') return byShape(MAPPED, body);
  if (reads === 'generic') return byUsualNames({ ...body, ...chatCard(body) });
  const shape = presetShapes(reads).find(fits(body));
  return shape === undefined ? null : byShape(shape, body);
}

/** Returns in words which fields a body of this sender has. */
export function readExpected(reads: string): string {
  return presetShapes(reads)
    .map(({ recognisedBy }) => pointers(recognisedBy).join(' and '))
    .join(', or ');
}

const presetShapes = (preset: string) => SENDERS.filter(({ name }) => name.startsWith(preset));
const fits =
  (body: JsonObject) =>
  ({ recognisedBy }: SenderShape) =>
    pointers(recognisedBy).every((at) => isPresent(valueAt(body, at)));

function byShape(shape: SenderShape, body: JsonObject): SentFields {
  const inner = shape.unwraps === undefined ? null : unwrapped(valueAt(body, shape.unwraps));
  if (inner !== null) return readSent(inner);
  const texts = (field: SentField): string[] =>
    pointers(shape.fields[field] ?? '').flatMap((at) => textsIn(valueAt(body, at)));
  const labelled = Object.entries(shape.labelled ?? {}).flatMap(([name, at]) => {
    const [text] = textsIn(valueAt(body, at));
    return text === undefined ? [] : [[name, text] as const];
  });
  const objects = pointers(shape.labels ?? '').map((at) => labelsIn(valueAt(body, at)));
  return {
    ...senderSent(
      shape.name,
      texts,
      Object.assign({}, ...objects, Object.fromEntries(labelled)) as SentFields['labels'],
    ),
    ...(shape.scale === undefined ? {} : { scale: shape.scale }),
    ...(shape.messageTime === true ? { begins: null } : {}),
    identity: shape.name === MAPPED.name ? null : identityOf(body),
    asksToOpen: shape.asksToOpen === undefined ? null : (textsIn(valueAt(body, shape.asksToOpen))[0] ?? null),
  };
}

function identityOf(body: JsonObject, labels: SentFields['labels'] = {}): Identity | null {
  const hasState = (object: JsonObject) => {
    const plain = byPlainName(object);
    return GENERIC.status.some((name) => plain.has(name));
  };
  return identityIn(objectsIn(body), labels, hasState);
}

/** Reads fields by common names, those of outer objects before those of inner ones. */
function byUsualNames(body: JsonObject): SentFields {
  const objects = objectsIn(body).map(byPlainName);
  const valuesOf = (names: readonly string[]): string[] =>
    objects.flatMap((object) => names.flatMap((name) => textsIn(object.get(name))));
  const labels = objects.map((object) => labelsIn(object.get('labels') ?? object.get('tags')));
  const named = Object.entries(GENERIC_LABELS).flatMap(([label, names]) => {
    const [text] = valuesOf(names);
    return text === undefined ? [] : [[label, text] as const];
  });
  const all = Object.assign({}, Object.fromEntries(named), ...labels.reverse()) as SentFields['labels'];
  const sent = {
    ...senderSent(
      'generic',
      (field) => (field === 'name' ? namesIn(objects) : valuesOf(GENERIC[field])),
      all,
    ),
    begins: valuesOf(START_NAMES)[0] ?? null,
    identity: identityOf(body, all),
  };
  // Templates for chat messages give the state as a colour.
  const isGreen = valuesOf(['color', 'colour', 'themecolor']).some((colour) =>
    /^(?:good|green)$/i.test(colour),
  );
  return isGreen && opensWithRecovery(sent.name ?? '')
    ? { ...sent, statuses: [...sent.statuses, 'resolved'] }
    : sent;
}

/** Values that may name an alert. A number names nothing. */
function namesIn(objects: readonly Map<string, Json>[]): string[] {
  const [specific, others] = [GENERIC.name.slice(0, TITLE), GENERIC.name.slice(TITLE)];
  return objects
    .flatMap((object) => {
      const ofRule = [...object.keys()].filter((name) => !specific.includes(name) && isNameOfRule(name));
      return [...specific, ...ofRule, ...others].flatMap((name) => textsIn(object.get(name)));
    })
    .filter((text) => /\p{L}/u.test(text));
}
/** Place of `title` among the names: those before it name a rule. */
const TITLE = GENERIC.name.indexOf('title');

function senderSent(
  sender: string,
  texts: (field: SentField) => string[],
  labels: SentFields['labels'],
): SentFields {
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
    begins: startsAt[0] ?? null,
    identity: null,
    links: [...new Set(links.filter((link) => /^https?:\/\//.test(link)))].slice(0, 5),
    key: key[0] ?? null,
    labels,
    asksToOpen: null,
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

const pointers = (list: string): string[] => list.split(' ').filter((pointer) => pointer !== '');

/** The body and the objects in it, outer ones first. Among the objects of a level, rules and checks are first. */
function objectsIn(body: JsonObject): JsonObject[] {
  const found: JsonObject[] = [body];
  let level: JsonObject[] = [body];
  for (let depth = 1; depth < DEEPEST && found.length < MOST_OBJECTS; depth += 1) {
    const entries = level.flatMap((object) => Object.entries(object));
    level = [...entries.filter(isOfRule), ...entries.filter((entry) => !isOfRule(entry))]
      .flatMap(([, value]) => pairsIn(value) ?? (Array.isArray(value) ? value.slice(0, 3) : [value]))
      .filter((value): value is JsonObject => isObject(value))
      .slice(0, MOST_OBJECTS - found.length);
    found.push(...level);
  }
  return found;
}

const isOfRule = ([name]: [string, Json]): boolean => RULE_OBJECTS.includes(plainName(name));

/**
 * Returns the fields by names without case, blanks and punctuation: `Alert_Name`, `alertName` and
 * `alert-name` are equal.
 */
function byPlainName(object: JsonObject): Map<string, Json> {
  const named = new Map<string, Json>();
  for (const [name, value] of Object.entries(object)) {
    const plain = plainName(name);
    if (!named.has(plain)) named.set(plain, value);
  }
  return named;
}

function plainName(name: string): string {
  return name
    .slice(0, 64)
    .toLowerCase()
    .replace(/[^a-z]/g, '');
}
