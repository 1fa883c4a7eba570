import { isObject, z, type Json, type JsonObject } from '@casefile/contracts';
import { saysNothing, isNegation, parseNumber } from '../reading/index.js';
import { round } from '../reading/numerals.js';

/** A value whose parts were converted to the types of a schema, if each has only one reading. */
interface FittedValue {
  value: Json;
  /** Reasons why parts of the right type cannot be used: `confidence: expected a number from 0 to 1; ...`. */
  problems: string[];
}

/** Marks a figure with its scale, so that a value on the other scale is recognised. */
export const onScale = (scale: Scale) => ({ scale });
/** Marks a text that is one of these words. */
export const oneOf = (choices: readonly string[]) => ({ enum: [...choices] });

const MOST_DEPTH = 12;
const made = new WeakMap<z.ZodType, JsonObject>();

/**
 * Converts a model's value: figures, truth values, choices, lists and objects written as texts get the types
 * of the schema. A part without a single reading stays unchanged, and the schema refuses it.
 */
export function fitToSchema(value: Json, schema: z.ZodType): FittedValue {
  let shape = made.get(schema);
  if (shape === undefined) {
    shape = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonObject;
    made.set(schema, shape);
  }
  const problems: string[] = [];
  return { value: fit(value, shape, '', problems, shape), problems };
}

function fit(
  value: Json,
  answer: JsonObject,
  path: string,
  problems: string[],
  root: JsonObject,
  depth = 0,
): Json {
  const shape = resolvedShape(answer, root);
  const into = (inner: Json, part: Json | undefined, at: string) =>
    isObject(part) && depth < MOST_DEPTH ? fit(inner, part, at, problems, root, depth + 1) : inner;
  const branch = branchFor(value, shape, root);
  if (branch !== null) return into(value, branch, path);
  const type = shape['type'];
  if (type === 'number' || type === 'integer') return figure(value, shape, path, problems);
  if (type === 'boolean') return typeof value === 'string' ? (truthIn(value) ?? value) : value;
  if (type === 'string') return text(value, shape);
  if (type === 'array') {
    const list = listFrom(value, isObject(shape['items']) ? resolvedShape(shape['items'], root) : {});
    return Array.isArray(list) ? list.map((item, i) => into(item, shape['items'], `${path}[${i}]`)) : list;
  }
  const object = objectFrom(value, shape);
  if (!isObject(object) || !isObject(shape['properties'])) return object;
  const properties = shape['properties'];
  const at = (name: string) => (path === '' ? name : `${path}.${name}`);
  return Object.fromEntries(
    Object.entries(object).map(([name, inner]) => {
      const part = Object.hasOwn(properties, name) ? properties[name] : undefined;
      return [name, into(inner, part, at(name))];
    }),
  );
}

function resolvedShape(shape: JsonObject, root: JsonObject): JsonObject {
  const name = typeof shape['$ref'] === 'string' ? /^#\/\$defs\/(.+)$/.exec(shape['$ref'])?.[1] : undefined;
  const target = name === undefined || !isObject(root['$defs']) ? undefined : root['$defs'][name];
  return isObject(target) ? target : shape;
}

/**
 * Returns the branch of a choice of shapes that fits this value, or null if there is no choice or the value
 * already fits one.
 */
function branchFor(value: Json, shape: JsonObject, root: JsonObject): JsonObject | null {
  const branches = [shape['anyOf'], shape['oneOf']].find(Array.isArray);
  if (branches === undefined) return null;
  const shapes = branches.filter(isObject).map((one) => resolvedShape(one as JsonObject, root));
  const named = shapes.find((one) => isNamed(value, one));
  if (named !== undefined) return named;
  const typed = shapes.filter((one) => one['type'] === typeOf(value));
  if (typed.length > 0) return typed.length === 1 ? typed[0]! : {};
  if (typeof value === 'string' && saysNothing(value) && shapes.some((one) => one['type'] === 'null')) {
    const list = shapes.find((one) => one['type'] === 'array');
    return list ?? {};
  }
  return shapes.find((one) => one['type'] !== 'null') ?? {};
}

/** Returns whether the value has the constant that identifies its kind, such as `kind: "quote"`. */
function isNamed(value: Json, { properties }: JsonObject): boolean {
  if (!isObject(value) || !isObject(properties)) return false;
  const constants = Object.entries(properties).filter(([, part]) => isObject(part) && 'const' in part);
  return (
    constants.length > 0 && constants.every(([name, part]) => value[name] === (part as JsonObject)['const'])
  );
}

function typeOf(value: Json): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

function figure(value: Json, shape: JsonObject, path: string, problems: string[]): Json {
  if (typeof value !== 'number' && typeof value !== 'string') return value;
  const scale = scaleOf(shape);
  if (scale === null) return typeof value === 'string' ? (numberIn(value) ?? value) : value;
  const read = readFigure(value, scale);
  if ('value' in read) return read.value;
  problems.push(`${path}: ${read.problem}`);
  return value;
}

function scaleOf({ scale, minimum, maximum }: JsonObject): Scale | null {
  if (scale === 1 || scale === 100) return scale;
  return minimum === 0 && maximum === 1 ? 1 : null;
}

function text(value: Json, shape: JsonObject): Json {
  const choices = Array.isArray(shape['enum']) ? shape['enum'].filter((one) => typeof one === 'string') : [];
  if (typeof value === 'string' && choices.length > 0) return choiceIn(value, choices) ?? value;
  // A text that the model wrote as a list of paragraphs.
  const isLines = Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === 'string');
  return isLines && choices.length === 0 ? value.join('\n') : value;
}

function listFrom(value: Json, items: JsonObject): Json {
  if (Array.isArray(value)) return value;
  if (isObject(value)) return items['type'] === 'object' || isChoice(items) ? [value] : value;
  if (typeof value === 'number') return items['type'] === 'string' ? value : [value];
  if (typeof value !== 'string') return value;
  const parsed = parsedJson(value);
  if (Array.isArray(parsed)) return parsed;
  if (isObject(parsed) && (items['type'] === 'object' || isChoice(items))) return [parsed];
  if (saysNothing(value)) return [];
  return items['type'] === 'object' || isChoice(items, 'object') ? value : (entriesIn(value) ?? value);
}

function isChoice({ anyOf, oneOf: others }: JsonObject, type?: string): boolean {
  const branches = [anyOf, others].find(Array.isArray);
  if (branches === undefined) return false;
  return type === undefined || branches.every((one) => isObject(one) && one['type'] === type);
}

function objectFrom(value: Json, { type }: JsonObject): Json {
  if (type !== 'object' || typeof value !== 'string') return value;
  const parsed = parsedJson(value);
  return isObject(parsed) ? parsed : value;
}

function parsedJson(text: string): Json {
  if (!/^\s*[[{]/.test(text)) return null;
  try {
    return JSON.parse(text) as Json;
  } catch {
    return null;
  }
}

const LONGEST_CHOICE = 200;

/** Returns the choice that a text names, or null if it names none, several or a negated one. */
function choiceIn(text: string, choices: readonly string[]): string | null {
  if (text.length > LONGEST_CHOICE) return null;
  const trimmed = text.trim();
  const exact = choices.find((choice) => choice === trimmed);
  if (exact !== undefined) return exact;
  const words = textWords(trimmed);
  const named = choices.map((choice) => ({ choice, words: textWords(choice) }));
  const same = named.filter((one) => one.words.join(' ') === words.join(' '));
  if (same.length > 0) return same.length === 1 ? same[0]!.choice : null;
  // The longest first: "not met" is NOT_MET, not MET.
  let rest = ` ${words.join(' ')} `;
  const option = named
    .toSorted((a, b) => b.words.length - a.words.length)
    .filter((one) => {
      const phrase = ` ${one.words.join(' ')} `;
      if (one.words.length === 0 || !rest.includes(phrase)) return false;
      rest = rest.replaceAll(phrase, ' | ');
      return true;
    });
  const isNegated = rest.split(' ').some((word) => word === 't' || isNegation(word, 'en'));
  return option.length === 1 && !isNegated ? option[0]!.choice : null;
}

function textWords(text: string): string[] {
  const apart = text.replace(/(\p{Ll})(?=\p{Lu})/gu, '$1 ');
  return apart.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
}

/** Returns the truth value that a text names, or null. */
function truthIn(text: string): boolean | null {
  const word = text.trim().toLowerCase();
  return word === 'true' ? true : word === 'false' ? false : null;
}

const MOST_LIST_CHARACTERS = 20_000;
/** Marks before an entry of a list written in lines. */
const BULLET = /^\s*(?:[-*•–]|\(?\d{1,3}[.):])\s+/;

/**
 * Splits a list written as a text: lines, entries separated by semicolons, single words separated by commas
 * or "and", or one sentence. Returns null if the ends of the entries are unknown.
 */
function entriesIn(text: string): string[] | null {
  if (text.length > MOST_LIST_CHARACTERS) return null;
  if (saysNothing(text)) return [];
  const inner = /^\s*\[([^[\]{}]*)\]\s*$/.exec(text)?.[1] ?? text;
  const lines = inner.split(/\r?\n/).filter((line) => line.trim() !== '');
  if (lines.length > 1) return lines.map((line) => unquotedText(line.replace(BULLET, '')));
  const one = inner.replace(BULLET, '').replace(/\s+/g, ' ').trim();
  const words = textParts(one.replace(/ (?:and|&) /gi, ','), /[,;]/);
  if (words.every((word) => /^\S{1,80}$/.test(word))) return words.map(unquotedText);
  const bare = one.split(' ');
  if (bare.every((word) => /^\[?[A-Z]{1,3}\d{1,4}\]?$/i.test(word))) return bare;
  const parts = textParts(one, ';');
  if (parts.length > 1) return parts.map(unquotedText);
  return one.includes(',') ? null : [unquotedText(one)];
}

function textParts(text: string, separator: string | RegExp): string[] {
  return text
    .split(separator)
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

function unquotedText(text: string): string {
  const trimmed = text.trim().replace(/,$/, '');
  return /^(["'`]).*\1$/.test(trimmed) ? trimmed.slice(1, -1).trim() : trimmed;
}

/** A number on a scale from 0, or the reason why it has no single reading. */
type ScaledFigure = { value: number } | { problem: string };

/** The end of a scale: a share of 1, or a percentage. */
type Scale = 1 | 100;

/** Above a share of 1 and up to this, a figure may be a percentage or a mark out of ten. */
const MOST_MARKS = 10;
const LONGEST_FIGURE = 60;
const FIGURE = /-?\d+(?:[.,]\d+)?/g;
const PERCENT = /^\s*(?:%|％|per ?cent\b|pct\b)/i;
const OUT_OF = /^\s*(?:\/|out of|of)\s*$/i;

/**
 * Reads a number, or a text with one number, on the requested scale. A figure on the other scale is converted
 * if it has no second reading: 90 of 1 is a percentage, 0.9 of 100 is a share. A figure with two readings (1
 * of 100, 5 of 1, a range) or none (900, -5) is a problem, and the model must be asked again.
 */
export function readFigure(written: number | string, scale: Scale): ScaledFigure {
  if (typeof written === 'number') return figureOnScale(written, scale, written);
  const matches = [...written.slice(0, LONGEST_FIGURE).matchAll(FIGURE)];
  const [first, second] = matches;
  if (first === undefined || written.length > LONGEST_FIGURE) return unclear(written, scale);
  const value = plainNumber(first[0]);
  const rest = written.slice(first.index + first[0].length);
  if (value === null) return unclear(written, scale);
  if (matches.length === 2 && second !== undefined) {
    const between = written.slice(first.index + first[0].length, second.index);
    const whole = plainNumber(second[0]);
    const isRatio = OUT_OF.test(between) && whole !== null && whole > 0 && value >= 0 && value <= whole;
    return isRatio ? { value: round((value / whole) * scale) } : unclear(written, scale);
  }
  if (matches.length > 2) return unclear(written, scale);
  if (!PERCENT.test(rest)) return figureOnScale(value, scale, written);
  // "0.9%" may mean 90 % or nine in a thousand, so it has no single reading.
  if ((value > 0 && value < 1) || value < 0 || value > 100) return unclear(written, scale);
  return { value: round((value / 100) * scale) };
}

function figureOnScale(value: number, scale: Scale, written: number | string): ScaledFigure {
  // 900 and -5 are on no scale: the nearest bound would make them certain.
  if (!(value >= 0 && value <= 100)) return unclear(written, scale);
  if (scale === 100) {
    if (value === 1) return unclear(written, scale);
    return { value: value > 0 && value < 1 ? round(value * 100) : value };
  }
  if (value <= 1) return { value };
  return value > MOST_MARKS && value <= 100 ? { value: round(value / 100) } : unclear(written, scale);
}

function unclear(written: number | string, scale: Scale): ScaledFigure {
  const shown = JSON.stringify(typeof written === 'string' ? written.slice(0, LONGEST_FIGURE) : written);
  return { problem: `expected a number from 0 to ${scale}; ${shown} has no single reading on that scale` };
}

/** A number in everyday notation; null: its comma may separate thousands. */
function plainNumber(text: string): number | null {
  if (/,\d{3}$/.test(text)) return null;
  return parseNumber(text);
}

/** Returns the number if the text is exactly one number, or null. */
function numberIn(text: string): number | null {
  const [, digits] = /^[~≈]?(-?\d{1,15}(?:[.,]\d{1,15})?)$/.exec(text.trim()) ?? [];
  return digits === undefined ? null : plainNumber(digits);
}
