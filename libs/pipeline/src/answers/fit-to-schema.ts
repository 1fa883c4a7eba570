import { isObject, z, type Json, type JsonObject } from '@casefile/contracts';
import { saysNothing } from '../reading/index.js';
import { choiceIn, entriesIn, numberIn, readFigure, truthIn, type Scale } from './read-values.js';

/** A value whose parts were converted to the types of a schema, if each has only one reading. */
export interface FittedValue {
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
