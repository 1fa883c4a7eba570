import { z } from 'zod';
import { CasefileError } from './errors/casefile-error.js';
import { isObject, type Json, type JsonObject } from './json.js';

const MOST_BYTES = 64 * 1024;
const MOST_DEPTH = 32;

/**
 * Returns a validator for the arguments of an external tool, built from the server's JSON Schema. The server
 * checks patterns: a pattern of the server may take more than linear time on text from a model.
 * @throws CasefileError `bad_answer` if it is not the schema of an object, has more than 64 kB, nests deeper
 * than 32, or uses an unsupported keyword.
 */
export function argumentsSchema(parameters: JsonObject): z.ZodType {
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
  // Each key under `properties` is the name of an argument, which may be `pattern`.
  const entries = Object.entries(schema).filter(([key, value]) => !isPattern(key, value, schema));
  return Object.fromEntries(entries.map(([key, value]) => [key, withoutPatterns(value, depth + 1)]));
}

function isPattern(key: string, value: Json, schema: JsonObject): boolean {
  if (key === 'pattern') return typeof value === 'string';
  if (key === 'patternProperties') return isObject(value);
  // Without the patterns, valid arguments would be rejected, so other keys are allowed.
  return key === 'additionalProperties' && value === false && isObject(schema['patternProperties']);
}

function unusable(why: string): CasefileError {
  return new CasefileError('bad_answer', `The schema of its arguments cannot be used: ${why}`);
}
