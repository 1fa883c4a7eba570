import { z } from 'zod';
import { isObject, type Json, type JsonObject } from '../json.js';
import type { FormField } from './display-schema.js';
import { nameInWords, valueIn, valueText } from './read-path.js';

/** Deepest object whose fields have fields of their own in a form. */
const DEEPEST = 3;
/** Length of a text above which its field in a form has several lines. */
const LONG_TEXT = 500;

/** Returns the JSON Schema of a payload, as its sender writes it. */
export function payloadJsonSchema(schema: z.ZodType): JsonObject {
  return z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as unknown as JsonObject;
}

/** Returns whether a payload of this schema may have fields that the schema does not name. */
export function isOpenSchema(schema: JsonObject): boolean {
  return schema['additionalProperties'] !== false;
}

/**
 * Returns the fields of a form for a payload of this schema, in its order. The example of a field is its own one, or its
 * value in the example of the payload.
 */
export function formFields(schema: JsonObject): FormField[] {
  const { examples } = schema;
  return fieldsOf(schema, { path: [], words: [], isRequired: true, example: firstOf(examples) });
}

/** An object among the fields of a form. */
interface Place {
  path: string[];
  words: string[];
  isRequired: boolean;
  /** Its value in the example of the payload. */
  example: Json | undefined;
}

function fieldsOf(schema: JsonObject, { path, words, isRequired, example }: Place): FormField[] {
  const required = Array.isArray(schema['required']) ? schema['required'] : [];
  return Object.entries(propertiesOf(schema)).flatMap(([name, declared]) => {
    const own = withoutNull(declared);
    const { title } = { ...declared, ...own };
    const label = [...words, typeof title === 'string' ? title : nameInWords(name)];
    const at = [...path, name];
    const must = isRequired && required.includes(name);
    const shown = valueIn(example, [name]);
    if (at.length < DEEPEST && Object.keys(propertiesOf(own)).length > 0)
      return fieldsOf(own, { path: at, words: label, isRequired: must, example: shown });
    return [formField({ ...declared, ...own }, at, label.join(': '), must, shown)];
  });
}

function formField(
  schema: JsonObject,
  path: string[],
  label: string,
  isRequired: boolean,
  shown: Json | undefined,
): FormField {
  const { description, minimum, maximum, examples, default: initial } = schema;
  const input = inputOf(schema);
  return {
    path,
    label,
    help: typeof description === 'string' ? description : '',
    input,
    isRequired,
    choices: input === 'choice' ? choicesOf(schema) : [],
    min: boundOf(minimum),
    max: boundOf(maximum),
    isWhole: schema['type'] === 'integer',
    example: exampleText(firstOf(examples) ?? shown ?? initial, input),
  };
}

// A schema of whole numbers has the bounds of a safe integer, which tell a person nothing.
function boundOf(bound: Json | undefined): number | null {
  return typeof bound === 'number' && Math.abs(bound) < Number.MAX_SAFE_INTEGER ? bound : null;
}

function inputOf(schema: JsonObject): FormField['input'] {
  const { type, maxLength, items } = schema;
  if (choicesOf(schema).length > 0) return 'choice';
  if (type === 'boolean') return 'switch';
  if (type === 'number' || type === 'integer') return 'number';
  if (type === 'string') return typeof maxLength === 'number' && maxLength > LONG_TEXT ? 'lines' : 'text';
  return type === 'array' && isObject(items) && items['type'] === 'string' ? 'list' : 'json';
}

function choicesOf(schema: JsonObject): (string | number | boolean)[] {
  const values = 'const' in schema ? [schema['const']] : schema['enum'];
  return Array.isArray(values)
    ? values.filter((one) => typeof one === 'string' || typeof one === 'number' || typeof one === 'boolean')
    : [];
}

const firstOf = (examples: Json | undefined): Json | undefined =>
  Array.isArray(examples) ? examples[0] : undefined;

function exampleText(example: Json | undefined, input: FormField['input']): string | null {
  if (example === undefined) return null;
  if (input === 'json') return JSON.stringify(example, null, 2);
  if (input === 'list' && Array.isArray(example)) return example.map(String).join('\n');
  return typeof example === 'boolean' ? String(example) : valueText(example);
}

/** Returns the labels of all fields of a schema that has titles for them, by their path. */
export function schemaLabels(schema: JsonObject): Record<string, string> {
  const labels: Record<string, string> = {};
  const read = (one: JsonObject, path: string, depth: number): void => {
    for (const [name, declared] of Object.entries(propertiesOf(one))) {
      const own = withoutNull(declared);
      const at = path === '' ? name : `${path}.${name}`;
      const title = declared['title'] ?? own['title'];
      if (typeof title === 'string') labels[at] = title;
      if (depth < DEEPEST) read(isObject(own['items']) ? own['items'] : own, at, depth + 1);
    }
  };
  read(schema, '', 0);
  return labels;
}

/** Returns the path of the first text of a schema, in its order; null: it has none. */
export function firstTextPath(schema: JsonObject): string | null {
  const found = Object.entries(propertiesOf(schema)).find(([, declared]) => {
    const own = withoutNull(declared);
    return own['type'] === 'string' && choicesOf(own).length === 0;
  });
  return found === undefined ? null : `payload.${found[0]}`;
}

/** Schema of a field; null: the schema has no such field; `any`: it says nothing about its fields. */
export type SchemaField = JsonObject | 'any' | null;

/** Returns the schema of a nested field, through lists and alternatives. */
export function schemaField(schema: JsonObject, names: readonly string[]): SchemaField {
  let at: JsonObject = withoutNull(schema);
  for (const name of names) {
    const properties = propertiesOf(at);
    const found = properties[name];
    if (found === undefined) {
      const isNamed = Object.keys(properties).length > 0;
      return isNamed || (at['type'] !== undefined && at['type'] !== 'object') ? null : 'any';
    }
    at = withoutNull(found);
  }
  return at;
}

/** Returns the names of the fields of a schema. */
export function fieldNames(schema: JsonObject): string[] {
  return Object.keys(propertiesOf(withoutNull(schema)));
}

function propertiesOf(schema: JsonObject): Record<string, JsonObject> {
  const { properties } = schema;
  if (!isObject(properties)) return {};
  return Object.fromEntries(
    Object.entries(properties).filter((entry): entry is [string, JsonObject] => isObject(entry[1])),
  );
}

/** Returns what a schema says about values other than null. */
export function withoutNull(schema: JsonObject): JsonObject {
  const { anyOf, type } = schema;
  if (Array.isArray(type)) {
    const types = type.filter((one) => one !== 'null');
    return types.length === 1 ? { ...schema, type: types[0]! } : schema;
  }
  if (!Array.isArray(anyOf)) return schema;
  const others = anyOf.filter((one): one is JsonObject => isObject(one) && one['type'] !== 'null');
  return others.length === 1 ? withoutNull(others[0]!) : schema;
}
