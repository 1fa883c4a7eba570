import { isObject, type Json, type JsonObject } from '@casefile/contracts';

/** Helpers that read bodies of any shape. They never throw; a missing part is empty. */

/** Value of a key, or undefined if there is no such key or `from` is not an object. */
export function partOf(from: Json | undefined, key: string): Json | undefined {
  return isObject(from) && Object.hasOwn(from, key) ? from[key] : undefined;
}

export function listOf(value: Json | undefined): Json[] {
  return Array.isArray(value) ? value : [];
}

export function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}

/**
 * Parts of a content: the parts of a list, or one part for a text or an object. An object that is no part is the answer
 * itself, which some gateways parse.
 */
export function contentParts(content: Json | undefined): Json[] {
  if (Array.isArray(content)) return content;
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  if (!isObject(content)) return [];
  const isPart = typeof content['type'] === 'string' || typeof content['text'] === 'string';
  return [isPart ? content : { type: 'text', text: JSON.stringify(content) }];
}

/** Text of a key, or `''`. */
export function textIn(from: Json | undefined, key: string): string {
  return textOf(partOf(from, key));
}

/** Maximum of an integer column. */
const MOST_TOKENS = 2_147_483_647;

/**
 * Returns whether these keys of a report of usage are counts. A provider may omit a count that is 0, so one is enough
 * if the others are absent.
 */
export function areCounts(from: Json | undefined, keys: readonly string[]): boolean {
  const values = keys
    .map((key) => partOf(from, key))
    .filter((value) => value !== undefined && value !== null);
  return values.length > 0 && values.every((value) => isCount(value));
}

function isCount(value: Json | undefined): value is number {
  return typeof value === 'number' && value >= 0 && value <= MOST_TOKENS;
}

/** A token count. Negative, missing and absurd values become 0. */
export function countIn(from: Json | undefined, key: string): number {
  const value = partOf(from, key);
  return isCount(value) ? Math.round(value) : 0;
}

/** The sum of counts, limited to the maximum of an integer column. */
export function countSum(...counts: number[]): number {
  return Math.min(
    counts.reduce((sum, count) => sum + count, 0),
    MOST_TOKENS,
  );
}

/**
 * Adds the fields of a stream event to those of earlier events.
 * @param changing fields that change with each event; the last value counts.
 * @returns false if a field already had another value, which is kept. The caller then records the event
 * separately.
 */
export function mergeFields(target: JsonObject, fields: JsonObject, changing: readonly string[]): boolean {
  let lossless = true;
  for (const [key, value] of Object.entries(fields)) {
    if (value === null) continue;
    const before = Object.hasOwn(target, key) ? target[key] : undefined;
    if (before !== undefined && before !== null && !changing.includes(key)) {
      lossless &&= same(before, value);
      continue;
    }
    // An assignment to `__proto__` would set the prototype.
    Object.defineProperty(target, key, { value, enumerable: true, writable: true, configurable: true });
  }
  return lossless;
}

function same(a: Json, b: Json): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}
