import { isObject, type Json, type JsonObject } from '@casefile/contracts';

/** Returns the objects of a list; empty if the value is not a list. */
export function objectsIn(value: Json | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

/** Returns the text of any provider's content: a string, or the `text` of the parts of a list. */
export function textOfContent(content: Json | undefined): string {
  if (typeof content === 'string') return content;
  return objectsIn(content)
    .map(({ text }) => (typeof text === 'string' ? text : ''))
    .join('');
}

/**
 * Returns a field as text; a value that is not a string as JSON. (An object may have a `toString` that is no
 * function.)
 */
export function wordOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? 'undefined');
}
