import { isObject, type Json, type JsonObject } from '@casefile/contracts';

/** The objects of a list; none when it is none. */
export function objectsIn(value: Json | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

/** Text as every provider writes it: itself, or the `text` of the parts of a list. */
export function textOfContent(content: Json | undefined): string {
  if (typeof content === 'string') return content;
  return objectsIn(content)
    .map(({ text }) => (typeof text === 'string' ? text : ''))
    .join('');
}

/** A field that should be a text, as one: what is none as its JSON. (An object may have a `toString` that is no function.) */
export function wordOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? 'undefined');
}
