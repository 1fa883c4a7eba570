import type { Json } from '@casefile/contracts';
import { InvalidArgumentError } from 'commander';
import type { FieldSchema } from './document.js';

const UNITS_MS: Record<string, number> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Whether a field is on or absent, so that its option has no value. */
export const isSwitch = ({ type }: FieldSchema): boolean => type === 'boolean';

/** Whether a field is a time, or a date. */
export const isTime = ({ format, anyOf = [] }: FieldSchema): boolean =>
  format === 'date-time' || anyOf.some((one) => one.format === 'date-time');

/**
 * Returns the value of a field from the text of an argument or option. For an array, it is one item.
 * @throws InvalidArgumentError that states what was expected; commander adds the name of the option.
 */
export function readField(schema: FieldSchema, text: string): Json {
  if (schema.enum !== undefined) return choiceFrom(schema.enum, text);
  if (isTime(schema)) return timeFrom(schema, text);
  switch (schema.type) {
    case 'integer':
    case 'number':
      return numberFrom(schema, text);
    case 'array':
      return readField(schema.items ?? {}, text);
    case 'object':
      return objectFrom(schema, text);
    default:
      // The API checks patterns of texts, with an error that names the field.
      return text;
  }
}

/** Returns `on or off`, or `one of a, b, c`. */
function choicesText(choices: readonly string[]): string {
  return choices.length === 2 ? choices.join(' or ') : `one of ${choices.join(', ')}`;
}

function choiceFrom(choices: readonly string[], text: string): string {
  if (choices.includes(text)) return text;
  throw expected(choicesText(choices));
}

/** Parses minutes, hours or days, such as `30m`. Returns milliseconds; null: another text. */
export function durationMs(text: string): number | null {
  const [, count = '', unit = ''] = /^(\d{1,6})([mhd])$/.exec(text) ?? [];
  const ms = Number(count) * (UNITS_MS[unit] ?? 0);
  return ms > 0 ? ms : null;
}

/** A date stays a date where the API takes one, because it may stand for its whole day. */
function timeFrom({ anyOf }: FieldSchema, text: string): string {
  const isDate = /^\d{4}-\d{2}-\d{2}$/.test(text);
  const isZoned = /^\d{4}-\d{2}-\d{2}T[\d:.]{5,16}(?:Z|[+-]\d{2}:?\d{2})$/.test(text);
  const at = Date.parse(text);
  if ((isDate || isZoned) && !Number.isNaN(at))
    return isDate && anyOf !== undefined ? text : new Date(at).toISOString();
  throw expected('a date, or a time with its zone such as 2026-01-05T10:00:00Z');
}

function numberFrom({ type, minimum, exclusiveMinimum, maximum }: FieldSchema, text: string): number {
  const value = Number(text);
  const isValid =
    text.trim() !== '' &&
    (type === 'integer' ? Number.isSafeInteger(value) : Number.isFinite(value)) &&
    value >= (minimum ?? -Infinity) &&
    value > (exclusiveMinimum ?? -Infinity) &&
    value <= (maximum ?? Infinity);
  if (isValid) return value;
  const kind = type === 'integer' ? 'a whole number' : 'a number';
  const [low, above] = exclusiveMinimum === undefined ? [minimum, 'from'] : [exclusiveMinimum, 'above'];
  const limits = [
    ...(low === undefined ? [] : [`${above} ${low}`]),
    ...(maximum === undefined ? [] : [`${low === undefined ? 'up ' : ''}to ${maximum}`]),
  ];
  throw expected([kind, ...limits].join(' '));
}

/** An object is JSON, or `name=value` with commas between several. */
function objectFrom({ properties }: FieldSchema, text: string): Json {
  if (text.trimStart().startsWith('{')) return jsonFrom(text);
  const pairs = text.split(',').map((pair) => /^([^=]+)=(.*)$/s.exec(pair.trim()));
  const names = Object.keys(properties ?? {});
  const isKnown = ([, name = '']: RegExpExecArray) => properties === undefined || names.includes(name);
  if (!pairs.every((pair) => pair !== null && isKnown(pair)))
    throw expected(
      properties === undefined
        ? 'JSON, or name=value with commas between several'
        : `JSON, or name=value with commas between several; the names are ${names.join(', ')}`,
    );
  return Object.fromEntries(
    pairs.flatMap((pair) => {
      if (pair === null) return [];
      const [, name = '', value = ''] = pair;
      return [[name, readField(properties?.[name] ?? {}, value)]];
    }),
  );
}

function jsonFrom(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    throw expected('JSON');
  }
}

function expected(what: string): InvalidArgumentError {
  return new InvalidArgumentError(`Expected ${what.replace(/\.$/, '')}.`);
}
