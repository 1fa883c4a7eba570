import { fieldProblems, InvalidInput, type FieldProblem, type z } from '@casefile/contracts';
import type { HandlerInput, RouteInput } from './route.js';

interface RawRequest {
  params: unknown;
  query: unknown;
  body: unknown;
}

/**
 * Checks the parts of a request that a route declares. An empty query parameter counts as not given.
 * @throws InvalidInput that names every wrong field.
 */
export function readInput(input: RouteInput, raw: RawRequest): HandlerInput<RouteInput> {
  const problems: FieldProblem[] = [];
  const params = part(input.params, raw.params, problems);
  const query = part(input.query, filled(raw.query), problems);
  const body = part(input.body, raw.body, problems);
  if (problems.length > 0) throw new InvalidInput(problems, 'request');
  return { params, query, body } as HandlerInput<RouteInput>;
}

function part(schema: z.ZodType | undefined, value: unknown, problems: FieldProblem[]): unknown {
  if (schema === undefined) return undefined;
  const parsed = schema.safeParse(value ?? {});
  if (parsed.success) return parsed.data;
  problems.push(...unknownKeys(parsed.error), ...fieldProblems(withoutUnknownKeys(parsed.error)));
  return undefined;
}

function filled(query: unknown): Record<string, unknown> {
  return Object.fromEntries(Object.entries(query ?? {}).filter(([, value]) => value !== ''));
}

// A key nobody knows is a problem of that key, not of the whole.
function unknownKeys(error: z.ZodError): FieldProblem[] {
  return error.issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys'
      ? issue.keys.map((path) => ({ path, message: 'is not known here' }))
      : [],
  );
}

function withoutUnknownKeys(error: z.ZodError): z.ZodError {
  return {
    ...error,
    issues: error.issues.filter((issue) => issue.code !== 'unrecognized_keys'),
  } as z.ZodError;
}
