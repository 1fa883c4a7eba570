import { z } from 'zod';

/** Any JSON value. What came from outside is kept as this until a schema has looked at it. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type JsonObject = { [key: string]: Json };

/**
 * A JSON value as it is: what `JSON.parse` made is JSON, so it is not walked again (zod's own walks it with a schema of
 * seven branches a value).
 */
export const jsonSchema: z.ZodType<Json> = z
  .unknown()
  .refine((value) => value !== undefined, 'expected a JSON value')
  .describe('Any JSON value.') as unknown as z.ZodType<Json>;
export const jsonObjectSchema: z.ZodType<JsonObject> = z.record(z.string(), jsonSchema);

/**
 * The value of a key that came from outside. A plain look-up finds members of Object too: `constructor` of an empty
 * object is a function.
 */
export function ownValue<T>(record: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}

/** Is it an object with keys: neither null nor a list? */
export function isObject(value: unknown): value is Record<string, unknown>;
export function isObject(value: Json | undefined): value is JsonObject;
export function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * A value as JSON with the keys of each object in order, so that the same value has the same text. What is undefined is
 * left out of an object, and null in a list.
 * @param as Makes the same text of strings that count as the same; absent: each is itself. Keys stay as they are.
 */
export function canonicalJson(value: unknown, as?: (text: string) => string): string {
  if (typeof value === 'string') return JSON.stringify(as === undefined ? value : as(value));
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  let text = '';
  if (Array.isArray(value)) {
    for (const entry of value as unknown[]) text += `${text === '' ? '' : ','}${canonicalJson(entry, as)}`;
    return `[${text}]`;
  }
  for (const key of sorted(Object.keys(value))) {
    const entry = (value as Record<string, unknown>)[key];
    if (entry !== undefined)
      text += `${text === '' ? '' : ','}${JSON.stringify(key)}:${canonicalJson(entry, as)}`;
  }
  return `{${text}}`;
}

// Most objects come with their keys in order, and sorting copies the list even then.
function sorted(keys: string[]): string[] {
  for (let i = 1; i < keys.length; i += 1) if (keys[i - 1]! > keys[i]!) return keys.sort();
  return keys;
}
