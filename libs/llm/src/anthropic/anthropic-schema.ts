import { isDeepStrictEqual } from 'node:util';
import { transformJSONSchema } from '@anthropic-ai/sdk/lib/transform-json-schema';
import type { Json, JsonObject } from '@casefile/contracts';
import { isObject } from '../json-parts.js';

/**
 * A JSON Schema as Anthropic takes it: every object closed, and keywords it refuses (limits of numbers, lengths) told in
 * the description instead. null when that would change what is asked for: an object whose keys are free cannot be closed.
 */
export function anthropicSchema(schema: JsonObject): JsonObject | null {
  if (hasFreeObject(schema)) return null;
  try {
    return transformJSONSchema(schema) as JsonObject;
  } catch {
    // The SDK refuses what the API would refuse.
    return null;
  }
}

/** Can a tool's arguments be held to this schema as it stands? One that would have to be changed is sent as a wish. */
export function takesStrictly(parameters: JsonObject): boolean {
  return parameters.type === 'object' && isDeepStrictEqual(anthropicSchema(parameters), parameters);
}

function hasFreeObject(value: Json): boolean {
  if (Array.isArray(value)) return value.some(hasFreeObject);
  if (!isObject(value)) return false;
  const named = isObject(value.properties) && Object.keys(value.properties).length > 0;
  const free = value.type === 'object' && !named && value.additionalProperties !== false;
  return free || Object.values(value).some(hasFreeObject);
}
