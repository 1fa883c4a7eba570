import type { Json, JsonObject } from '@casefile/contracts';

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
