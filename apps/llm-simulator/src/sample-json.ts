import type { Json, JsonObject } from '@casefile/contracts';

const DEEPEST = 8;

/** A small JSON value that a JSON Schema takes: what the simulator answers when it has no rule for a question. */
export function sampleJson(schema: JsonObject, depth = 0): Json {
  if (schema.const !== undefined) return schema.const;
  if (Array.isArray(schema.enum)) return schema.enum[0] ?? null;
  const [alternative] = [schema.anyOf, schema.oneOf].flatMap((list) =>
    Array.isArray(list) ? list.slice(0, 1) : [],
  );
  if (isObject(alternative)) return sampleJson(alternative, depth + 1);
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  switch (type) {
    case 'string':
      return 'simulated'
        .padEnd(Number(schema.minLength ?? 0), '.')
        .slice(0, Number(schema.maxLength ?? 10_000));
    case 'number':
    case 'integer':
      return (
        Number(schema.minimum ?? schema.exclusiveMinimum ?? 0) +
        (schema.exclusiveMinimum === undefined ? 0 : 1)
      );
    case 'boolean':
      return false;
    case 'null':
      return null;
    case 'array':
      return sampleArray(schema, depth);
    default:
      return sampleObject(schema, depth);
  }
}

function sampleArray(schema: JsonObject, depth: number): Json {
  if (!isObject(schema.items) || depth > DEEPEST) return [];
  const item = sampleJson(schema.items, depth + 1);
  return Array.from({ length: Math.min(Number(schema.minItems ?? 0), 10) }, () => item);
}

function sampleObject(schema: JsonObject, depth: number): Json {
  if (!isObject(schema.properties) || depth > DEEPEST) return {};
  const parts = Object.entries(schema.properties);
  return Object.fromEntries(
    parts.map(([name, part]) => [name, isObject(part) ? sampleJson(part, depth + 1) : null]),
  );
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
