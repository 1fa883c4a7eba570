import { isObject, type Json, type JsonObject } from '@casefile/contracts';

/** Keywords that a strict structured output takes; one that is not here makes some servers refuse the call. */
const TAKEN = new Set(
  'type properties required additionalProperties description title enum const items anyOf $ref $defs $schema pattern format minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minItems maxItems'.split(
    ' ',
  ),
);

/**
 * May this JSON Schema be asked for strictly? Every object must be closed and require all its properties, and no
 * keyword may stand in it that strict mode does not know. Otherwise the schema is sent as a wish.
 */
export function isStrictSchema(schema: JsonObject): boolean {
  if (Object.keys(schema).some((key) => !TAKEN.has(key))) return false;
  const properties = childrenOf(schema.properties);
  if (isOfObjects(schema) && !(schema.additionalProperties === false && requiresAll(schema))) return false;
  const parts = [
    ...properties,
    ...childrenOf(schema.$defs),
    ...listOf(schema.anyOf),
    ...listOf(schema.items),
  ];
  return parts.every((part) => isObject(part) && isStrictSchema(part));
}

/** The same for a tool's arguments, which are always an object. */
export function isStrictTool(parameters: JsonObject): boolean {
  return parameters.type === 'object' && isStrictSchema(parameters);
}

/** Also one of several types, or one that only has properties. */
function isOfObjects({ type, properties }: JsonObject): boolean {
  return properties !== undefined || listOf(type).includes('object');
}

function requiresAll(schema: JsonObject): boolean {
  const required = new Set(listOf(schema.required));
  return isObject(schema.properties) && Object.keys(schema.properties).every((name) => required.has(name));
}

function childrenOf(value: Json | undefined): Json[] {
  return isObject(value) ? Object.values(value) : [];
}

function listOf(value: Json | undefined): Json[] {
  if (value === undefined) return [];
  return Array.isArray(value) ? value : [value];
}
