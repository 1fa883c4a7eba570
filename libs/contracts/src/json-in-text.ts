import { jsonrepair } from 'jsonrepair';
import { isObject, type Json, type JsonObject } from './json.js';

/** Search limit, more than any answer needs. The rest of the text is not searched for JSON. */
const MAX_CHARACTERS = 100_000;
/** Maximum length to repair: the repair takes quadratic time on hostile answers (96 kB took 1.5 s). */
const MAX_REPAIRED = 20_000;
const MAX_REPAIRS = 8;
const MAX_BLOCKS = 10;
/**
 * Maximum number of characters read, as a multiple of the text's length, because nested braces are read
 * repeatedly.
 */
const MOST_READINGS = 20;
/** Levels of nested objects that are returned as well. */
const INNER_LEVELS = 2;
const MOST_INNER = 50;
const MOST_ENCODINGS = 3;

/**
 * Returns the JSON objects of a text, the likeliest answer first: the last object, then earlier ones, then
 * objects nested in them, then one that is cut off. Invalid JSON is repaired if possible.
 */
export function objectsIn(content: string): JsonObject[] {
  const text = decodedContent(content);
  if (typeof text !== 'string') return [text, ...innerObjects([text])];
  const { closed, open } = spansIn(text);
  const ordered = closed.toSorted((a, b) => b.end - a.end);
  const whole = repairedIn(ordered);
  const cut = open === null ? null : objectFrom(open.text, jsonrepair);
  const first = firstObjectIn(text);
  return [
    ...whole,
    ...innerObjects(whole),
    ...(cut === null ? [] : [cut]),
    ...(first === null ? [] : [first]),
  ];
}

/**
 * Returns the object in the text of a call's arguments: the last object with keys, else an empty one. null:
 * there is none. A text that is cut off within a string gives none.
 */
export function argumentsIn(content: string): JsonObject | null {
  const text = decodedContent(content);
  if (typeof text !== 'string') return text;
  const { closed, open } = spansIn(text);
  const whole = repairedIn(closed.toSorted((a, b) => b.end - a.end));
  const object = whole.find((one) => Object.keys(one).length > 0) ?? whole[0];
  if (object !== undefined) return object;
  if (open !== null) return open.inWord ? null : objectFrom(open.text, jsonrepair);
  // A stream may lose the opening brace.
  return /^\s*"[\w-]{1,64}"\s*:/.test(text)
    ? objectFrom(`{${text.replace(/\}\s*$/, '')}}`, jsonrepair)
    : null;
}

/** Returns the complete outermost objects of a text, in order and with their positions. */
export function spansOfObjects(content: string): { value: JsonObject; start: number; end: number }[] {
  const { closed } = spansIn(content.slice(0, MAX_CHARACTERS));
  let after = 0;
  return closed.flatMap((span) => {
    if (span.start < after) return [];
    const value = span.value ?? objectFrom(span.text, jsonrepair);
    if (value === null) return [];
    after = span.end;
    return [{ value, start: span.start, end: span.end }];
  });
}

/**
 * Returns the first JSON object of an answer: bare, in a fenced block with or without a language, or between
 * the first and the last brace. Valid objects come first, then repaired ones.
 */
export function firstObjectIn(content: string): JsonObject | null {
  const candidates = contentCandidates(content.slice(0, MAX_CHARACTERS));
  return (
    firstObject(candidates, (text) => text) ??
    firstObject(
      candidates.filter((text) => text.length <= MAX_REPAIRED),
      jsonrepair,
    )
  );
}

/**
 * Returns the text without its byte order mark, or the object if the whole text is one, even encoded several
 * times.
 */
function decodedContent(content: string): string | JsonObject {
  let text = content
    .slice(0, MAX_CHARACTERS)
    .replace(/^\ufeff/, '')
    .trim();
  for (let i = 0; i < MOST_ENCODINGS; i += 1) {
    const value = parsedText(text, (one) => one);
    const [only = null] = Array.isArray(value) && value.length === 1 ? (value as Json[]) : [];
    if (isObject(value)) return value as JsonObject;
    if (isObject(only)) return only;
    if (typeof value !== 'string') return text;
    text = value.trim();
  }
  return text;
}

interface JsonSpan {
  text: string;
  start: number;
  end: number;
  /** null: not valid JSON. */
  value: JsonObject | null;
}

/**
 * Returns the spans of balanced braces, including those within invalid ones, and the first brace that is
 * never closed.
 */
function spansIn(text: string): { closed: JsonSpan[]; open: { text: string; inWord: boolean } | null } {
  const closed: JsonSpan[] = [];
  let open: { text: string; inWord: boolean } | null = null;
  let remainingCharacters = MOST_READINGS * text.length;
  let start = text.indexOf('{');
  while (start !== -1 && remainingCharacters > 0) {
    const { end, inWord } = findEnd(text, start);
    remainingCharacters -= (end ?? text.length) - start;
    if (end === null) open ??= { text: text.slice(start), inWord };
    const span = end === null ? null : textSpan(text, start, end);
    if (span !== null) closed.push(span);
    start = text.indexOf('{', span === null || span.value === null ? start + 1 : span.end);
  }
  return { closed, open };
}

function textSpan(text: string, start: number, end: number): JsonSpan {
  const span = text.slice(start, end);
  return { text: span, start, end, value: objectFrom(span, (one) => one) };
}

/**
 * Returns the position after the brace that closes the one at `start`. null: there is none. Braces within
 * double quotes do not count.
 */
function findEnd(text: string, start: number): { end: number | null; inWord: boolean } {
  let depth = 0;
  let inWord = false;
  for (let i = start; i < text.length; i += 1) {
    const character = text[i];
    if (inWord && character === '\\') i += 1;
    else if (character === '"') inWord = !inWord;
    else if (inWord) continue;
    else if (character === '{') depth += 1;
    else if (character === '}') {
      depth -= 1;
      if (depth === 0) return { end: i + 1, inWord };
    }
  }
  return { end: null, inWord };
}

function repairedIn(spans: readonly JsonSpan[]): JsonObject[] {
  let repairs = MAX_REPAIRS;
  return spans.flatMap(({ value, text }) => {
    if (value !== null) return [value];
    repairs -= 1;
    const mended = repairs < 0 ? null : objectFrom(text, jsonrepair);
    return mended === null ? [] : [mended];
  });
}

/** Returns objects nested under a key, also encoded as text. Gateways wrap answers this way. */
function innerObjects(objects: readonly JsonObject[]): JsonObject[] {
  const results: JsonObject[] = [];
  let level: readonly JsonObject[] = objects;
  for (let i = 0; i < INNER_LEVELS && results.length < MOST_INNER; i += 1) {
    level = level.flatMap((one) => Object.values(one).flatMap(innerObject));
    results.push(...level);
  }
  return results.slice(0, MOST_INNER);
}

function innerObject(value: Json): JsonObject[] {
  if (isObject(value)) return [value];
  const object = typeof value === 'string' && /^\s*\{/.test(value) ? objectFrom(value, (one) => one) : null;
  return object === null ? [] : [object];
}

function objectFrom(text: string, mend: (text: string) => string): JsonObject | null {
  if (mend === jsonrepair && text.length > MAX_REPAIRED) return null;
  const value = parsedText(text, mend);
  return isObject(value) ? (value as JsonObject) : null;
}

function contentCandidates(content: string): string[] {
  const whole = content.replace(/^\ufeff/, '').trim();
  const open = whole.indexOf('{');
  const close = whole.lastIndexOf('}');
  const braced = open === -1 ? [] : [whole.slice(open, close > open ? close + 1 : undefined)];
  return [whole, ...fencedBlocks(whole), ...braced].filter((text) => text.includes('{'));
}

function fencedBlocks(content: string): string[] {
  const parts = content.split(/```|~~~/, MAX_BLOCKS * 2 + 1);
  // Odd parts are inside a fence. The language is the text before the first brace on the opening line.
  return parts
    .filter((_, i) => i % 2 === 1)
    .map((part) => part.replace(/^[ \t]*[\w+-]{0,20}[ \t]*\r?\n?/, '').trim());
}

// Both parsers throw if a text is not JSON. The next candidate is tried then.
function firstObject(candidates: string[], mend: (text: string) => string): JsonObject | null {
  for (const text of candidates) {
    const value = parsedText(text, mend);
    if (isObject(value)) return value as JsonObject;
  }
  return null;
}

function parsedText(text: string, mend: (text: string) => string): unknown {
  try {
    return JSON.parse(mend(text));
  } catch {
    return undefined;
  }
}
