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

/** Text of a key, or `''`. */
export function textIn(from: Json | undefined, key: string): string {
  return textOf(partOf(from, key));
}

/** Maximum of an integer column. */
const MOST_TOKENS = 2_147_483_647;

/** A token count. Negative, missing and absurd values become 0. */
export function countIn(from: Json | undefined, key: string): number {
  const value = partOf(from, key);
  return typeof value === 'number' && value > 0 && value <= MOST_TOKENS ? Math.round(value) : 0;
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
