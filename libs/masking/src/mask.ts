import { CasefileError, isObject, type Json } from '@casefile/contracts';
import { lintSource } from '@secretlint/core';
import { secretLintProfiler } from '@secretlint/profiler';
import { creator } from '@secretlint/secretlint-rule-preset-recommend';
import { codePlaceholder, isOneCode, findSecrets } from './find-secrets.js';
import { replaceValues, inTurns, nextTurn, type Steps, MASK, mergedRanges, type Range } from './pieces.js';
import { isHonest, isSecretName, isCodeName } from './places.js';
import { normalView, type NormalView } from './normal-view.js';

/** Limit in characters for one text, or for all texts of one value together. */
const MOST = 64 * 1024 * 1024;
const MOST_DEPTH = 64;
/** Characters that the rule set searches in one call. Pieces overlap by more than the length of a key. */
const PIECE = 128 * 1024;
const OVERLAP = 8 * 1024;
const CONFIG = { rules: [{ id: '@secretlint/secretlint-rule-preset-recommend', rule: creator }] };

// Each call would leave about twenty marks in the performance timeline of the process. Marks are kept
// permanently and searched at each new mark. A thousand calls took eleven seconds of processor time.
secretLintProfiler.mark = () => undefined;

export interface MaskedValue<T> {
  value: T;
  /** Number of masked secrets. */
  found: number;
}

/**
 * Masks the secrets in a text. Takes time in proportion to its length.
 * @throws CasefileError `too_large`, `unexpected`: a text that cannot be masked must be withheld.
 */
export async function maskSecrets(text: string): Promise<{ text: string; found: number }> {
  const { value, found } = await maskJson(text);
  return { text: value as string, found };
}

/**
 * Masks the secrets in the texts of a value, and the values whose names show that they are secrets. JSON
 * within a text is searched as JSON. @throws as `maskSecrets`.
 */
export async function maskJson(value: Json): Promise<MaskedValue<Json>> {
  const texts: string[] = [];
  let named = 0;
  const shape = await inTurns(
    walk(value, {
      text: (text) => texts.push(text) - 1,
      masked: () => void (named += 1),
    }),
  );
  const total = texts.reduce((sum, text) => sum + text.length, 0);
  if (total > MOST)
    throw new CasefileError('too_large', `a value of ${total} characters is not scanned for secrets`);
  const masked = await maskTexts(texts);
  const found = named + masked.reduce((sum, one) => sum + one.found, 0);
  const maskedTexts = masked.map(({ text }) => text);
  return { value: await inTurns(filledShape(shape, maskedTexts)), found };
}

/** A value whose texts are replaced by their positions in the list of texts. */
type Shape =
  | null
  | boolean
  | number
  | { at: number }
  | { parsed: Shape; indent: number }
  | { list: Shape[] }
  | { keys: [number, Shape][] };
interface Walk {
  text(text: string): number;
  masked(): void;
}

/** Values of a list or an object that are read between two steps. */
const VALUES = 200;

function* walk(value: Json, to: Walk, depth = 0): Steps<Shape> {
  if (depth > MOST_DEPTH)
    throw new CasefileError('too_large', `a value deeper than ${MOST_DEPTH} is not scanned for secrets`);
  if (typeof value === 'string') return yield* walkText(value, to, depth);
  if (Array.isArray(value)) return { list: yield* walkList(value, to, depth) };
  if (!isObject(value)) return value;
  const isSecret = value['kind'] === 'Secret';
  const isVariable = typeof value['name'] === 'string' && isSecretName(value['name']);
  const keys: [number, Shape][] = [];
  for (const [key, item] of Object.entries(value)) {
    if (keys.length % VALUES === VALUES - 1) yield;
    const hidden =
      (isSecret && (key === 'data' || key === 'stringData')) ||
      (isVariable && key === 'value') ||
      (typeof item === 'string' && isSecretName(key) && !isHonest(item, key));
    if (hidden) keys.push([to.text(key), hide(item, to)]);
    else if (typeof item === 'string' && isCodeName(key) && isOneCode(item)) {
      to.masked();
      keys.push([to.text(key), { at: to.text(codePlaceholder(item)) }]);
    } else keys.push([to.text(key), yield* walk(item, to, depth + 1)]);
  }
  return { keys };
}

function* walkList(value: readonly Json[], to: Walk, depth: number): Steps<Shape[]> {
  const list: Shape[] = [];
  for (const [i, item] of value.entries()) {
    if (i % VALUES === VALUES - 1) yield;
    list.push(isSecretArgument(item, value[i - 1]) ? hide(item, to) : yield* walk(item, to, depth + 1));
  }
  return list;
}

/** Returns whether an item of a list of arguments is the value of an option such as `--api-key`. */
function isSecretArgument(item: Json, before: Json | undefined): boolean {
  if (typeof item !== 'string' || typeof before !== 'string') return false;
  if (item.startsWith('-') || !/^--?[\w-]{1,100}$/.test(before)) return false;
  return isSecretName(before) && !isHonest(item, before);
}

// Under a secret name, every text is masked, whatever its form.
function hide(value: Json, to: Walk): Shape {
  if (typeof value === 'string' && value.trim() !== '' && value !== MASK) {
    to.masked();
    return { at: to.text(MASK) };
  }
  if (Array.isArray(value)) return { list: value.map((item) => hide(item, to)) };
  if (isObject(value))
    return { keys: Object.entries(value).map(([key, item]) => [to.text(key), hide(item, to)]) };
  return typeof value === 'string' ? { at: to.text(value) } : (value as null | boolean | number);
}

function* walkText(text: string, to: Walk, depth: number): Steps<Shape> {
  const parsed = /^\s{0,20}[[{]/.test(text) ? jsonIn(text) : undefined;
  if (parsed === undefined) return { at: to.text(text) };
  let found = 0;
  const inner: string[] = [];
  // The text is rewritten only if a value in it is hidden by its name. Otherwise it stays as sent.
  yield* walk(parsed, { text: (one) => inner.push(one), masked: () => (found += 1) }, depth + 1);
  if (found === 0) return { at: to.text(text) };
  return { parsed: yield* walk(parsed, to, depth + 1), indent: /^\s{0,20}[[{]\s*\n/.test(text) ? 2 : 0 };
}

function jsonIn(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

function* filledShape(shape: Shape, texts: readonly string[]): Steps<Json> {
  if (shape === null || typeof shape !== 'object') return shape;
  if ('at' in shape) return texts[shape.at]!;
  if ('parsed' in shape) return JSON.stringify(yield* filledShape(shape.parsed, texts), null, shape.indent);
  if ('list' in shape) {
    const list: Json[] = [];
    for (const item of shape.list) {
      if (list.length % VALUES === VALUES - 1) yield;
      list.push(yield* filledShape(item, texts));
    }
    return list;
  }
  const fields: [string, Json][] = [];
  for (const [key, item] of shape.keys) {
    if (fields.length % VALUES === VALUES - 1) yield;
    fields.push([texts[key]!, yield* filledShape(item, texts)]);
  }
  return Object.fromEntries(fields);
}

async function maskTexts(texts: readonly string[]): Promise<{ text: string; found: number }[]> {
  const views = await inTurns(viewsOf(texts));
  const keys = await knownKeys(texts);
  // Keys of providers whose spelling hides them, such as a key with a zero-width character.
  const hidden = views.flatMap(({ isSame, text }, i) => (isSame ? [] : [{ i, text }]));
  const inViews = await knownKeys(hidden.map(({ text }) => text));
  for (const [n, { i }] of hidden.entries())
    keys[i] = [...keys[i]!, ...inViews[n]!.map(([from, to]) => views[i]!.place(from, to))];
  return inTurns(withMasks(texts, views, keys));
}

function* viewsOf(texts: readonly string[]): Steps<NormalView[]> {
  const views: NormalView[] = [];
  for (const text of texts) {
    if (views.length % VALUES === VALUES - 1) yield;
    views.push(yield* normalView(text));
  }
  return views;
}

function* withMasks(
  texts: readonly string[],
  views: readonly NormalView[],
  keys: readonly (readonly Range[])[],
): Steps<{ text: string; found: number }[]> {
  const masked: { text: string; found: number }[] = [];
  for (const [i, text] of texts.entries()) {
    const found = yield* findSecrets(text, views[i]!, keys[i]!);
    masked.push({ text: replaceValues(text, found, ({ plain }) => plain), found: found.length });
  }
  return masked;
}

// Searches all texts together, because a call of the rule set costs more than the search itself.
async function knownKeys(texts: readonly string[]): Promise<(readonly Range[])[]> {
  if (texts.length === 0) return [];
  const all = texts.join('\n');
  const found: Range[] = [];
  for (let from = 0; from < all.length; from += PIECE - OVERLAP) {
    const content = all.slice(from, from + PIECE);
    const source = { filePath: 'text.txt', content, contentType: 'text' as const, ext: '.txt' };
    const { messages } = await lintSource({ source, options: { config: CONFIG, noPhysicFilePath: true } });
    for (const { range } of messages) found.push([from + range[0], from + range[1]]);
    if (from + PIECE >= all.length) break;
    await nextTurn();
  }
  return texts.map(within(mergedRanges(found)));
}

const NO_RANGES: readonly Range[] = [];

/** Splits ranges of the joined texts into ranges of each text. Call the result in the order of the texts. */
function within(ranges: readonly Range[]): (text: string) => readonly Range[] {
  let start = 0;
  let next = 0;
  return ({ length }) => {
    const end = start + length;
    const own: Range[] = [];
    while (next < ranges.length && ranges[next]![1] <= start) next += 1;
    for (let i = next; i < ranges.length && ranges[i]![0] < end; i += 1)
      own.push([Math.max(0, ranges[i]![0] - start), Math.min(length, ranges[i]![1] - start)]);
    start = end + 1;
    // Most of many texts have no key, and share one list.
    return own.length === 0 ? NO_RANGES : own;
  };
}
