import type { Json, JsonObject } from '../json.js';
import type { FormField } from './display-schema.js';

// This module also runs in the browser, so it imports no schema library.

/** Typed values by the path of the field. A switch that is on is `true`. */
export type FieldTexts = Readonly<Record<string, string>>;

/** Problem of a field of the form, found before it is sent. */
export class FieldError extends Error {
  constructor(
    /** Path of the field from the alert on, as the server names it. */
    readonly path: string,
    message: string,
  ) {
    super(message);
    this.name = 'FieldError';
  }
}

/** Returns the key of a field in the form. */
export function fieldKey({ path }: Pick<FormField, 'path'>): string {
  return path.join('.');
}

/**
 * Returns the payload of the fields that were filled in, with all switches; null: none was filled in.
 * @throws FieldError for a text that is no value of its field.
 */
export function formPayload(fields: readonly FormField[], texts: FieldTexts): JsonObject | null {
  const filled = fields.filter((field) => (texts[fieldKey(field)] ?? '').trim() !== '');
  if (filled.length === 0) return null;
  const payload: JsonObject = {};
  for (const field of fields) {
    const value = valueOf(field, texts[fieldKey(field)] ?? '');
    if (value !== undefined) put(payload, field.path, value);
  }
  return payload;
}

/** Returns the texts of an example that fills every field that has one. */
export function formExample(fields: readonly FormField[]): FieldTexts {
  const given = fields.flatMap((field) =>
    field.example === null || (field.input === 'switch' && field.example !== 'true')
      ? []
      : [[fieldKey(field), field.example] as const],
  );
  return Object.fromEntries(given);
}

/** Returns the value of a typed text; undefined: the field is left out. */
function valueOf(field: FormField, text: string): Json | undefined {
  const { input, choices, isRequired } = field;
  if (input === 'switch') return text === 'true' ? true : isRequired ? false : undefined;
  if (text.trim() === '') return undefined;
  if (input === 'choice') return choices.find((one) => String(one) === text);
  if (input === 'number') return numberIn(field, text);
  if (input === 'list') return text.split('\n').flatMap((line) => (line.trim() === '' ? [] : [line.trim()]));
  return input === 'json' ? jsonIn(field, text) : text;
}

function numberIn(field: FormField, text: string): number {
  const value = Number(text);
  if (Number.isFinite(value) && (!field.isWhole || Number.isInteger(value))) return value;
  throw problem(field, field.isWhole ? 'expected a whole number' : 'expected a number, such as 12.5');
}

function jsonIn(field: FormField, text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    throw problem(field, 'expected JSON');
  }
}

const problem = (field: FormField, message: string) => new FieldError(`payload.${fieldKey(field)}`, message);

function put(into: JsonObject, [name = '', ...rest]: readonly string[], value: Json): void {
  if (rest.length === 0) {
    into[name] = value;
    return;
  }
  const below = (into[name] ?? {}) as JsonObject;
  put(below, rest, value);
  into[name] = below;
}
