import {
  fieldProblems,
  objectsIn,
  type Json,
  type JsonObject,
  type ReadAnswer,
  type z,
} from '@casefile/contracts';
import { fitToSchema } from './fit-to-schema.js';

/** Reads an answer's object that fits a schema, or returns a sentence on what is wrong with it. */
export function readObject<S extends z.ZodType>(schema: S, content: string): ReadAnswer<z.output<S>> {
  const [first, ...others] = objectsIn(content);
  if (first === undefined) return { problem: 'The answer holds no JSON object.' };
  const read = fittedSchema(schema, first);
  if ('value' in read) return read;
  for (const other of others) {
    const later = fittedSchema(schema, other);
    if ('value' in later) return later;
  }
  return read;
}

function fittedSchema<S extends z.ZodType>(schema: S, answer: JsonObject): ReadAnswer<z.output<S>> {
  const read = readValue(schema, answer, 'answer');
  if ('value' in read) return read;
  return { problem: `The answer does not have the asked shape: ${read.problems.slice(0, 5).join('; ')}.` };
}

/**
 * Reads a model's value by a schema.
 * @param whole Name of the value itself in problems.
 * @returns the problems by the value's parts if it does not fit.
 */
export function readValue<S extends z.ZodType>(
  schema: S,
  value: Json,
  whole = '(whole)',
): { value: z.output<S> } | { problems: string[] } {
  const fit = fitToSchema(value, schema);
  const parsed = schema.safeParse(fit.value);
  const named = parsed.success ? [] : fieldProblems(parsed.error);
  const problems = [...fit.problems, ...named.map(({ path, message }) => `${path || whole}: ${message}`)];
  return parsed.success && problems.length === 0 ? { value: parsed.data } : { problems };
}
