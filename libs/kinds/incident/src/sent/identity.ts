import { canonicalJson, isObject, type Json, type JsonObject } from '@casefile/contracts';
import { textsIn } from '@casefile/pipeline/sent-values';
import { RECOVERED, RECOVERED_ELSEWHERE } from './recovery-words.js';
import { words } from './words.js';

/** The parts of an alert by which later alerts join its case. */
export interface Identity {
  key: string;
  /** Names of the parts, for people: `check_id, host`. */
  joinedBy: string;
  /** Whether the key is an id of this incident, so that a start of its own can follow. */
  isIncident: boolean;
}

/** Ids of one incident, which its sender repeats until it is over, by plain names. */
const INCIDENT_IDS = words(
  'fingerprint dedupkey dedupekey deduplicationkey alertid incidentid problemid issueid aggregkey alias',
);
/** Ids of the rule or check that found the problem. */
const RULE_IDS = words(
  'checkid monitorid ruleid alertruleid policyid conditionid triggerid sensorid alarmid testid probeid jobid ' +
    'savedsearchid detectorid queryid watchid ruleuid checkuuid monitoruuid',
);
/** Fields that name the thing with the problem. */
const THINGS = words(
  'host hostname node nodename server instance instancename device service servicename app application component ' +
    'resource resourcename target container pod',
);
/** Fields that name where the problem is. */
const PLACES = [...THINGS, ...words('environment env cluster clustername namespace region location')];
/** Fields that name the rule, the most specific first. */
const NAMES = words(
  'activitytitle alertname alerttitle rulename alertrule monitorname checkname policyname conditionname searchname eventname ' +
    'eventtitle problemtitle incidenttitle incidentname triggername alarmname title name shortdescription subject ' +
    'headline monitorfriendlyname friendlyname displayname check monitor rule problem event',
);
/** Labels that change while the problem lasts. */
const VOLATILE = words(
  'severity alertseverity priority level urgency criticality status state value currentvalue count time timestamp date ' +
    'datetime duration startsat endsat updatedat createdat monitor',
);

const MOST_NAME = 300;
/** Fewest letters of a name that alone identifies a problem. */
const LEAST_LETTERS = 8;

/** Words of a name that change with the state. */
const STATE_WORDS = new Set([
  ...words(
    'down firing fired triggered trigger alarm alert alerting problem warning warn critical crit error info disaster ' +
      'high low degraded failing failed failure have been has is are was were back now again still no longer',
  ),
  ...RECOVERED,
  ...RECOVERED_ELSEWHERE,
]);
/** Recoveries of several words: "ठीक हो गया". They are removed before the name is split into words. */
const STATE_PHRASES = new RegExp(
  `(?<![\\p{L}\\p{M}\\p{N}])(?:${RECOVERED_ELSEWHERE.filter((phrase) => phrase.includes(' ')).join('|')})(?![\\p{L}\\p{M}\\p{N}])`,
  'gu',
);
/** A priority in front of a name, or next to the word for it. "Pump P1" names a pump. */
const PRIORITY = /(?:^[^\p{L}\p{N}]{0,10}|\b(?:priority|severity)[\s:=]{1,3})p[1-5]\b/gu;
/** Begin and end of a number that is no part of a name, a version, an address or a path: not db-2, 10.0.0.1 or 1/0/1. */
const [BEGIN, END] = [
  String.raw`(?<![\p{L}\p{N}_.])(?<![\p{L}\p{N}][-_])`,
  String.raw`(?![.:/-]?[\p{L}\p{N}_])`,
];
const NUMBER = String.raw`\d{1,15}(?:,\d{3}){0,4}(?:[.,]\d{1,15})?`;
const UNIT = String.raw`(?:%|percent\b|(?:ms|s|secs?|seconds?|m|mins?|minutes?|h|hours?|days?|[kmgt]i?b|rps|qps)\b|req/s)`;
const COUNTED =
  '(?:failures?|errors?|times?|attempts?|alerts?|messages?|requests?|events?|retries|restarts?|documents?)';
const VALUE_OF = String.raw`(?:[<>]|\b(?:(?:value|count)\s?[=:]?|at|now|is|of|above|over|below|exceeds?))`;
/** Measured values, times and counters in a name. A number in the name of a thing (db-2, shard 3) stays. */
const CHANGING = [
  String.raw`\b\d{4}-\d\d-\d\d(?:[t ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:z|[+-]\d\d:?\d\d)?)?\b`,
  String.raw`${BEGIN}(?<![:/])\d{1,2}:\d\d(?::\d\d)?${END}`,
  String.raw`\b1\d{9}(?:\d{3})?\b`,
  `${BEGIN}${NUMBER}\\s?${UNIT}`,
  String.raw`${BEGIN}\d{1,15}(?:,\d{3}){0,4}[.,]\d{1,15}(?!\.?\d)`,
  String.raw`${BEGIN}(?<![:/])\d{1,15}\s?(?:of|/)\s?\d{1,15}${END}`,
  String.raw`\b\d{1,15}\s(?=${COUNTED}\b)`,
  `${VALUE_OF}\\s?${NUMBER}${END}`,
].map((pattern) => new RegExp(pattern, 'gu'));

/** Returns a name without state, values, times and counters. */
export function stableName(name: string): string {
  let text = name.slice(0, MOST_NAME).normalize('NFC').toLowerCase();
  text = text.replace(/\[[^\]]{0,40}\]/g, (mark) => (isStateMark(mark) ? ' ' : mark));
  for (const pattern of [STATE_PHRASES, PRIORITY]) text = text.replace(pattern, ' ');
  for (const pattern of CHANGING) text = text.replace(pattern, ' # ');
  const parts = text
    .split(/[^\p{L}\p{M}\p{N}#_./-]+/u)
    .map((part) => part.replace(/^[./-]{1,9}|[./-]{1,9}$/g, ''));
  return parts.filter((part) => part !== '' && part !== '#' && !STATE_WORDS.has(part)).join(' ');
}

// "[FIRING:1]" is the state; "[Triggered on {host:db-1}]" names the host too.
function isStateMark(mark: string): boolean {
  const parts = mark.split(/[^\p{L}\p{M}\p{N}]+/u).filter((part) => part !== '');
  return parts.every((part) => STATE_WORDS.has(part) || /^(?:\d+|p[1-5])$/.test(part));
}

/**
 * Returns the identity of an alert whose sender has no known shape: an id of the incident, else of the rule with its
 * place, else the name with its place. The name also counts next to a rule if no field names the thing with the
 * problem. null: nothing in it distinguishes it from others.
 * @param objects the body and the objects in it, outer ones first
 * @param labels labels of the alert
 */
export function identityIn(
  objects: readonly JsonObject[],
  labels: Readonly<Record<string, string>>,
  hasState: (object: JsonObject) => boolean,
): Identity | null {
  const nested = [...objects, nestedIds(objects)];
  const incident = firstField(nested, INCIDENT_IDS);
  if (incident !== null) {
    const key = canonicalJson([plainName(incident.name), incident.value]);
    return { key, joinedBy: incident.name, isIncident: true };
  }
  const own = ownId(objects, hasState);
  if (own !== null) return own;
  const places = withLabels(fieldsIn(objects, PLACES), labels);
  const rule = firstField(nested, RULE_IDS);
  const hasThing = places.some(({ name }) => THINGS.includes(plainName(name)));
  const names = rule === null || !hasThing ? namesIn(objects) : [];
  if (rule === null && !isTelling(names, places)) return null;
  const parts = [...(rule === null ? [] : [rule]), ...names, ...places];
  const joinedBy = [...new Set(parts.map((part) => part.name))].join(', ');
  return { key: canonicalJson(parts.map(({ name, value }) => [name, value])), joinedBy, isIncident: false };
}

// The field `id` of an object with a name and a state. Elsewhere it is often the id of the message.
function ownId(objects: readonly JsonObject[], hasState: (object: JsonObject) => boolean): Identity | null {
  for (const object of objects) {
    const [id] = textsIn(object['id']);
    const name = firstField([object], NAMES);
    if (id !== undefined && name !== null && hasState(object))
      return {
        key: canonicalJson([id, stableName(name.value)]),
        joinedBy: `id, ${name.name}`,
        isIncident: false,
      };
  }
  return null;
}

interface Field {
  name: string;
  value: string;
}

// A short name such as "error" joins what differs, unless a place stands next to it. Without a name, a host with a
// service is a check.
function isTelling(names: readonly Field[], places: readonly Field[]): boolean {
  const letters = names.reduce((sum, { value }) => sum + (value.match(/[\p{L}\p{M}]/gu)?.length ?? 0), 0);
  if (letters === 0) return places.length >= 2;
  return letters >= LEAST_LETTERS || (letters >= 2 && places.length > 0);
}

/** Most objects whose names are parts of a key. */
const MOST_NAMES = 3;

// The title of a card is often that of the sender, and the name of the alert stands in an object in it.
function namesIn(objects: readonly JsonObject[]): Field[] {
  const found = objects.flatMap((object) => firstField([object], NAMES) ?? []).slice(0, MOST_NAMES);
  return found
    .map(({ name, value }) => ({ name, value: stableName(value) }))
    .filter(({ value }) => value !== '');
}

function firstField(objects: readonly JsonObject[], names: readonly string[]): Field | null {
  for (const object of objects) {
    const plain = Object.entries(object).map(([name, value]) => [plainName(name), name, value] as const);
    for (const wanted of names) {
      const found = plain.find(([one, , value]) => one === wanted && textsIn(value).length > 0);
      if (found !== undefined) return { name: found[1], value: textsIn(found[2])[0]! };
    }
  }
  return null;
}

// The first value of each name, in an order that does not depend on the order of the fields.
function fieldsIn(objects: readonly JsonObject[], names: readonly string[]): Field[] {
  const found = new Map<string, Field>();
  for (const object of objects)
    for (const [name, value] of Object.entries(object)) {
      const plain = plainName(name);
      const [text] = scalarText(value);
      if (names.includes(plain) && text !== undefined && !found.has(plain))
        found.set(plain, { name, value: text });
    }
  return [...found.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

// A label may repeat a field under another name.
function withLabels(places: readonly Field[], labels: Readonly<Record<string, string>>): Field[] {
  const known = new Set(places.map(({ value }) => value));
  const others = Object.entries(labels)
    .filter(([name, value]) => !VOLATILE.includes(plainName(name)) && !known.has(value))
    .map(([name, value]) => ({ name, value }))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return [...places, ...others];
}

/** Objects whose field `id` identifies a rule or an incident: `rule.id` is a `ruleId`. */
const WITH_ID = words(
  'check monitor rule alertrule policy condition trigger sensor test probe incident problem issue',
);

function nestedIds(objects: readonly JsonObject[]): JsonObject {
  const entries = objects.flatMap((object) =>
    Object.entries(object).flatMap(([name, value]): [string, Json][] =>
      isObject(value) && WITH_ID.includes(plainName(name)) && textsIn(value['id'] as Json).length > 0
        ? [[`${name}.id`, value['id'] as Json]]
        : [],
    ),
  );
  return Object.fromEntries(entries.toReversed());
}

const scalarText = (value: Json): string[] => (isObject(value) || Array.isArray(value) ? [] : textsIn(value));

const plainName = (name: string): string =>
  name
    .slice(0, 64)
    .toLowerCase()
    .replace(/[^a-z]/g, '');
