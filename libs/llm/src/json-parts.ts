import { isObject, type Json, type JsonObject } from '@casefile/contracts';

/** Looking into bodies of any shape: none of these ever throws, what is not there is empty. */

/** The value of a key; undefined when there is no such key or nothing that could have one. */
export function partOf(from: Json | undefined, key: string): Json | undefined {
  return isObject(from) && Object.hasOwn(from, key) ? from[key] : undefined;
}

export function listOf(value: Json | undefined): Json[] {
  return Array.isArray(value) ? value : [];
}

export function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}

/** The text of a key. */
export function textIn(from: Json | undefined, key: string): string {
  return textOf(partOf(from, key));
}

/** What an integer column takes. */
const MOST_TOKENS = 2_147_483_647;

/** A count of tokens; negative, absent and absurd figures are 0. */
export function countIn(from: Json | undefined, key: string): number {
  const value = partOf(from, key);
  return typeof value === 'number' && value > 0 && value <= MOST_TOKENS ? Math.round(value) : 0;
}

/** The sum of counts, within what an integer column takes. */
export function countSum(...counts: number[]): number {
  return Math.min(
    counts.reduce((sum, count) => sum + count, 0),
    MOST_TOKENS,
  );
}

/**
 * Adds the fields of one event of a stream to those of the earlier ones.
 * @param changing fields that are new with each event, the last being the one that counts.
 * @returns false when a field was there with another value, which stays: the event is then to be kept for itself.
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
    // Assignment would take `__proto__` for something else.
    Object.defineProperty(target, key, { value, enumerable: true, writable: true, configurable: true });
  }
  return lossless;
}

function same(a: Json, b: Json): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}
