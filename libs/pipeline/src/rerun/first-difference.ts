import type { Json, JsonObject } from '@casefile/contracts';

/** The first difference of two documents, with both values. */
export interface FirstDifference {
  /** For example `messages[1].content`, with the position in a text (`:412`); empty: the whole document. */
  path: string;
  /** The text around the position, or the value as JSON, cut; `(none)` if missing. */
  a: string;
  b: string;
}

/** Characters shown before and after the first difference of two texts. */
const BEFORE = 30;
const FROM = 50;
const NONE = '(none)';

/** Returns the first difference of two documents, with keys in alphabetical order; null: none. */
export function firstDifference(a: Json | undefined, b: Json | undefined, path = ''): FirstDifference | null {
  if (typeof a === 'string' && typeof b === 'string') return a === b ? null : inText(a, b, path);
  if (Array.isArray(a) && Array.isArray(b)) {
    for (let i = 0; i < Math.max(a.length, b.length); i += 1) {
      const difference = firstDifference(a[i], b[i], `${path}[${i}]`);
      if (difference !== null) return difference;
    }
    return null;
  }
  if (isObject(a) && isObject(b)) {
    for (const key of [...new Set([...Object.keys(a), ...Object.keys(b)])].sort()) {
      const inner = firstDifference(valueOf(a, key), valueOf(b, key), path === '' ? key : `${path}.${key}`);
      if (inner !== null) return inner;
    }
    return null;
  }
  return Object.is(a, b) ? null : { path, a: shown(a), b: shown(b) };
}

function inText(a: string, b: string, path: string): FirstDifference {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at += 1;
  const around = (text: string) =>
    `${at > BEFORE ? '…' : ''}${text.slice(Math.max(0, at - BEFORE), at + FROM)}${text.length > at + FROM ? '…' : ''}`;
  return { path: `${path}:${at}`, a: around(a), b: around(b) };
}

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const valueOf = (value: JsonObject, key: string): Json | undefined =>
  Object.hasOwn(value, key) ? value[key] : undefined;

function shown(value: Json | undefined): string {
  if (value === undefined) return NONE;
  const text = JSON.stringify(value);
  return text.length > BEFORE + FROM ? `${text.slice(0, BEFORE + FROM)}…` : text;
}
