import { isObject, type Json } from '@casefile/contracts';

const MOST_TEXT = 10_000;
const MOST_TEXTS = 50;
const MOST_LABELS = 64;
const INDEX = /^(?:0|[1-9]\d{0,8})$/;

/** Returns whether a text is a JSON Pointer (RFC 6901). */
export function isPointer(text: string): boolean {
  return (text === '' || text.startsWith('/')) && !/~(?![01])/.test(text);
}

/** Returns the value at a JSON Pointer (RFC 6901) in the JSON of another system; undefined if there is none. */
export function valueAt(body: Json, pointer: string): Json | undefined {
  let value: Json | undefined = body;
  for (const part of pointer.split('/').slice(1)) {
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~');
    if (Array.isArray(value)) value = INDEX.test(key) ? value[Number(key)] : undefined;
    else if (isObject(value) && Object.hasOwn(value, key)) value = value[key] as Json;
    else return undefined;
  }
  return value;
}

/** Returns whether a value has content: it is neither missing, null nor a blank text. */
export function isPresent(value: Json | undefined): value is NonNullable<Json> {
  return value !== undefined && value !== null && !(typeof value === 'string' && value.trim() === '');
}

/**
 * Returns a value as texts: a text, a number, or a list of texts joined with commas; empty for other types.
 */
export function textsIn(value: Json | undefined): string[] {
  if (typeof value === 'string') return value.trim() === '' ? [] : [value.trim().slice(0, MOST_TEXT)];
  if (typeof value === 'number') return [String(value)];
  if (!Array.isArray(value)) return [];
  const texts = value.filter((one) => typeof one === 'string' && one.trim() !== '').slice(0, MOST_TEXTS);
  return texts.length === 0 ? [] : [texts.join(', ').slice(0, MOST_TEXT)];
}

/** Returns labels that are written as an object of texts, a list of "name:value", or a list of pairs. */
export function labelsIn(value: Json | undefined): Record<string, string> {
  if (Array.isArray(value)) return Object.fromEntries(value.slice(0, MOST_LABELS).flatMap(labelOf));
  if (!isObject(value)) return {};
  return Object.fromEntries(
    Object.entries(value)
      .slice(0, MOST_LABELS)
      .flatMap(([name, text]) => {
        const [first] = textsIn(text as Json);
        return first === undefined ? [] : [[name, first] as const];
      }),
  );
}

function labelOf(entry: Json): [string, string][] {
  if (typeof entry === 'string') {
    const [name = '', ...value] = entry.split(/[:=]/);
    return value.length === 0 || name === '' ? [] : [[name.trim(), value.join(':').trim()]];
  }
  if (Array.isArray(entry)) {
    const [name, value] = entry;
    return typeof name === 'string' && typeof value === 'string' ? [[name, value]] : [];
  }
  if (!isObject(entry)) return [];
  const { key, name, tag, value } = entry;
  const label = [key, name, tag].find((one) => typeof one === 'string');
  return typeof label === 'string' && typeof value === 'string' ? [[label, value]] : [];
}
