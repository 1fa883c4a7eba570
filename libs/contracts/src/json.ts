import { z } from 'zod';

/** Any JSON value. External data has this type until a schema has checked it. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type JsonObject = { [key: string]: Json };

/**
 * Schema of any JSON value that does not walk the value. A result of `JSON.parse` is valid JSON; zod's own
 * schema would test seven branches per value.
 */
export const jsonSchema: z.ZodType<Json> = z
  .unknown()
  .refine((value) => value !== undefined, 'expected a JSON value')
  .describe('Any JSON value.') as unknown as z.ZodType<Json>;
export const jsonObjectSchema: z.ZodType<JsonObject> = z.record(z.string(), jsonSchema);

/**
 * Returns the value of a key from outside. A plain property access would also find members of Object:
 * `constructor` of an empty object is a function.
 */
export function ownValue<T>(record: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}

/** Returns whether the value is an object with keys, neither null nor an array. */
export function isObject(value: unknown): value is Record<string, unknown>;
export function isObject(value: Json | undefined): value is JsonObject;
export function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Returns a value as JSON with the keys of each object sorted, so that equal values give equal texts. An
 * undefined value is omitted from an object and becomes null in an array.
 * @param as maps equivalent strings to the same text. Default: unchanged. Keys are not mapped.
 */
export function canonicalJson(value: unknown, as?: (text: string) => string): string {
  if (typeof value === 'string') return JSON.stringify(as === undefined ? value : as(value));
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  let text = '';
  if (Array.isArray(value)) {
    for (const entry of value as unknown[]) text += `${text === '' ? '' : ','}${canonicalJson(entry, as)}`;
    return `[${text}]`;
  }
  for (const key of sortedKeys(Object.keys(value))) {
    const entry = (value as Record<string, unknown>)[key];
    if (entry !== undefined)
      text += `${text === '' ? '' : ','}${JSON.stringify(key)}:${canonicalJson(entry, as)}`;
  }
  return `{${text}}`;
}

// Most objects have sorted keys already, and sorting would copy the list even then.
function sortedKeys(keys: string[]): string[] {
  for (let i = 1; i < keys.length; i += 1) if (keys[i - 1]! > keys[i]!) return keys.sort();
  return keys;
}

/** Most levels of objects and arrays within each other in a stored value. */
const MAX_JSON_DEPTH = 200;

/**
 * Returns why a value cannot be stored as JSON; null: it can. The walk ends as soon as the value has more than
 * `maxCharacters` in its strings, keys and numbers.
 */
export function jsonProblem(value: unknown, maxCharacters: number): string | null {
  let left = maxCharacters;
  const problemOf = (part: unknown, depth: number): string | null => {
    left -= typeof part === 'string' ? part.length : 1;
    if (left < 0) return `it has more than ${maxCharacters.toLocaleString('en')} characters`;
    if (typeof part === 'bigint') return 'it has a bigint, which JSON cannot express';
    if (typeof part !== 'object' || part === null) return null;
    if (depth >= MAX_JSON_DEPTH) return `it has more than ${MAX_JSON_DEPTH} levels, or contains itself`;
    for (const key of Object.keys(part)) {
      left -= key.length;
      const problem = problemOf((part as Record<string, unknown>)[key], depth + 1);
      if (problem !== null) return problem;
    }
    return null;
  };
  return problemOf(value, 0);
}
