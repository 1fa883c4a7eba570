import { z } from 'zod';
import { CasefileError } from './errors/casefile-error.js';
import { isObject, type Json, type JsonObject } from './json.js';

const MOST_BYTES = 64 * 1024;
const MOST_DEPTH = 32;

/**
 * Makes a check of the arguments of an outside tool from the JSON Schema by which its server declares them. Patterns are
 * left to the server: one of its own making may take more than linear time over what a model writes.
 * @throws CasefileError `bad_answer` when it is not the schema of an object, has more than 64 kB or nests deeper than 32,
 * or uses a keyword that cannot be checked.
 */
export function argumentsOf(parameters: JsonObject): z.ZodType {
  if (parameters['type'] !== 'object') throw unusable('it is not the schema of an object');
  const size = Buffer.byteLength(JSON.stringify(parameters));
  if (size > MOST_BYTES) throw unusable(`it has ${size} bytes, more than ${MOST_BYTES}`);
  const checked = withoutPatterns(parameters) as JsonObject;
  try {
    return z.fromJSONSchema(checked);
  } catch (error) {
    throw unusable(error instanceof Error ? error.message : String(error));
  }
}

function withoutPatterns(schema: Json, depth = 0): Json {
  if (depth > MOST_DEPTH) throw unusable(`it nests deeper than ${MOST_DEPTH}`);
  if (Array.isArray(schema)) return schema.map((item) => withoutPatterns(item, depth + 1));
  if (!isObject(schema)) return schema;
  // Under `properties` each key is the name of an argument, which may be called `pattern`.
  const kept = Object.entries(schema).filter(([key, value]) => !isPattern(key, value, schema));
  return Object.fromEntries(kept.map(([key, value]) => [key, withoutPatterns(value, depth + 1)]));
}

function isPattern(key: string, value: Json, schema: JsonObject): boolean {
  if (key === 'pattern') return typeof value === 'string';
  if (key === 'patternProperties') return isObject(value);
  // What only the patterns would have let in.
  return key === 'additionalProperties' && value === false && isObject(schema['patternProperties']);
}

function unusable(why: string): CasefileError {
  return new CasefileError('bad_answer', `The schema of its arguments cannot be used: ${why}`);
}
