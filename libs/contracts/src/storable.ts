import { firstCharacters } from './first-characters.js';
import type { Json } from './json.js';
import type { InteractionResult } from './record.js';

/** Maximum stored size of a provider's or tool's answer: 1 MB, in characters. Larger answers are cut. */
export const MAX_STORED = 1_000_000;

/**
 * Returns the problem that prevents storing a text unchanged: a NUL or half a surrogate pair. null: there is
 * none.
 */
export function textProblem(text: string): string | null {
  if (text.includes('\u0000')) return 'expected text without NUL characters';
  return text.isWellFormed() ? null : 'expected well-formed Unicode, found half a surrogate pair';
}

/**
 * Returns `value` as JSON text that every column can hold. Text in Postgres contains no NUL and no half
 * surrogate. A NUL becomes U+2400 (the picture of a NUL), a half surrogate U+FFFD. No row is lost, and the
 * change is visible.
 */
export function storableJson(value: unknown): string {
  const text = JSON.stringify(value) ?? 'null';
  return text.includes('\\u0000') || text.includes('\\ud') ? mended(text) : text;
}

/**
 * Replaces escapes. JSON.stringify writes `\u` only for half surrogates (`\ud...`) and control characters.
 */
function mended(json: string): string {
  let text = '';
  let done = 0;
  for (let at = json.indexOf('\\'); at !== -1; at = json.indexOf('\\', at)) {
    if (json[at + 1] !== 'u') {
      at += 2;
      continue;
    }
    const instead = json[at + 2] === 'd' ? '\ufffd' : json.startsWith('0000', at + 2) ? '\u2400' : null;
    if (instead !== null) {
      text += json.slice(done, at) + instead;
      done = at + 6;
    }
    at += 6;
  }
  return text + json.slice(done);
}

/**
 * Returns `value` as the store will return it: JSON only, repaired as in `storableJson`. Returns the same
 * object if nothing changes, else a copy.
 */
export function toStored<T>(value: T): T {
  return isAsStored(value, 0) ? value : (JSON.parse(storableJson(value)) as T);
}

// eslint-disable-next-line no-control-regex -- this is what it looks for
const TO_MEND = /[\u0000\ud800-\udfff]/;
/** Depth from which a value is copied without comparison. */
const DEEPEST = 50;

function isAsStored(value: unknown, depth: number): boolean {
  switch (typeof value) {
    case 'string':
      return !TO_MEND.test(value);
    case 'boolean':
      return true;
    case 'number':
      return Number.isFinite(value) && !Object.is(value, -0);
    case 'object':
      return value === null || (depth < DEEPEST && isPlain(value, depth + 1));
    default:
      return false;
  }
}

function isPlain(value: object, depth: number): boolean {
  if (Array.isArray(value)) {
    for (const one of value) if (!isAsStored(one, depth)) return false;
    return true;
  }
  if (Object.getPrototypeOf(value) !== Object.prototype) return false;
  for (const key of Object.keys(value))
    if (TO_MEND.test(key) || !isAsStored((value as Record<string, unknown>)[key], depth)) return false;
  return true;
}

/** Returns the value, or its beginning with its true size if its JSON is longer than `MAX_STORED`. */
export function boundValue(value: Json): Json {
  if (value === null || typeof value !== 'object')
    return typeof value === 'string' ? boundedText(value) : value;
  const text = JSON.stringify(value);
  if (text.length <= MAX_STORED) return value;
  return { cut: true, characters: text.length, head: firstCharacters(text, MAX_STORED) };
}

export function boundedText<T extends string | null>(text: T): T | string {
  if (text === null || text.length <= MAX_STORED) return text;
  return `${text.slice(0, MAX_STORED)}\n[cut: ${text.length} characters]`;
}

/** Returns an interaction's result with every part from the provider cut to its limit. */
export function boundedResult(result: InteractionResult): InteractionResult {
  return {
    ...result,
    response: boundValue(result.response),
    content: boundedText(result.content),
    toolCalls: boundValue(result.toolCalls),
    reasoningContent: boundedText(result.reasoningContent),
    ...(result.providerState === undefined ? {} : { providerState: boundValue(result.providerState) }),
  };
}
