import { isObject, type Json, type JsonObject } from '@casefile/contracts';

/** Keywords allowed in strict structured output; any other makes some servers refuse the call. */
const TAKEN = new Set(
  'type properties required additionalProperties description title enum const items anyOf $ref $defs $schema pattern format minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minItems maxItems'.split(
    ' ',
  ),
);

/**
 * Returns whether this JSON Schema can be enforced strictly. Every object must be closed and require all its
 * properties, and every keyword must be allowed in strict mode. Other schemas are sent without enforcement.
 */
export function isStrictSchema(schema: JsonObject): boolean {
  if (Object.keys(schema).some((key) => !TAKEN.has(key))) return false;
  const properties = subschemas(schema.properties);
  if (isOfObjects(schema) && !(schema.additionalProperties === false && requiresAll(schema))) return false;
  const parts = [
    ...properties,
    ...subschemas(schema.$defs),
    ...listOf(schema.anyOf),
    ...listOf(schema.items),
  ];
  return parts.every((part) => isObject(part) && isStrictSchema(part));
}

/** As `isStrictSchema` for a tool's arguments, which are always an object. */
export function isStrictTool(parameters: JsonObject): boolean {
  return parameters.type === 'object' && isStrictSchema(parameters);
}

/** Includes a schema with several types, and one that has only properties. */
function isOfObjects({ type, properties }: JsonObject): boolean {
  return properties !== undefined || listOf(type).includes('object');
}

function requiresAll(schema: JsonObject): boolean {
  const required = new Set(listOf(schema.required));
  return isObject(schema.properties) && Object.keys(schema.properties).every((name) => required.has(name));
}

function subschemas(value: Json | undefined): Json[] {
  return isObject(value) ? Object.values(value) : [];
}

function listOf(value: Json | undefined): Json[] {
  if (value === undefined) return [];
  return Array.isArray(value) ? value : [value];
}
